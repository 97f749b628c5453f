import { profileEndpointsWith } from '../dashboard/profile.ts';
import { defineConsoleEndpoints } from './endpoint.ts';
import { ConsoleSession } from './session.ts';

const profile = profileEndpointsWith(ConsoleSession);

export const consoleProfileEndpoints = defineConsoleEndpoints({
  ...profile,
  startSecondFactor: { ...profile.startSecondFactor, beforeSecondFactor: true },
  confirmSecondFactor: { ...profile.confirmSecondFactor, beforeSecondFactor: true },
});
