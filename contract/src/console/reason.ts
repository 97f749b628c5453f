import { Text } from '../schema-kit.ts';

export const Reason = Text({ maxLength: 500, description: 'Kept in the log of acts. It must name nobody.' });
