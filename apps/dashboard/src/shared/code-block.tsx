import { Code, Group } from '@mantine/core';
import { CopyButton } from '@navette/ui/parts/copy-button.tsx';

/** Text to copy into a terminal or an editor. `what` is its accessible name. */
export function CodeBlock({ code, what, mah = 360 }: { code: string; what: string; mah?: number }) {
  return (
    <Group gap={4} wrap="nowrap" align="flex-start">
      <Code
        block
        mah={mah}
        tabIndex={0}
        role="region"
        aria-label={what}
        style={{ flex: 1, minWidth: 0, overflow: 'auto', overflowWrap: 'normal' }}
      >
        {code}
      </Code>
      <CopyButton value={code} what={what} />
    </Group>
  );
}
