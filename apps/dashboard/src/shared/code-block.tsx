import { Box, Code } from '@mantine/core';
import { CopyButton } from './copy-button.tsx';

/** Text for a terminal or an editor, to be copied whole; `what` names it for whoever cannot see it. */
export function CodeBlock({ code, what, mah = 360 }: { code: string; what: string; mah?: number }) {
  return (
    <Box pos="relative">
      <Code
        block
        mah={mah}
        pr={48}
        tabIndex={0}
        role="region"
        aria-label={what}
        style={{ overflow: 'auto', overflowWrap: 'normal' }}
      >
        {code}
      </Code>
      <Box pos="absolute" top={6} right={6} bg="var(--mantine-color-body)" style={{ borderRadius: 6 }}>
        <CopyButton value={code} what={what} />
      </Box>
    </Box>
  );
}
