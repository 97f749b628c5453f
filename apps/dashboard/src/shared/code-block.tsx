import { Code, Group } from '@mantine/core';
import { CopyButton } from '@navette/ui/parts/copy-button.tsx';

interface Props {
  code: string;
  what: string;
  mah?: number;
  /** One long word, such as a key, shown as a whole. */
  wraps?: boolean;
}

/** Text to copy into a terminal or an editor. `what` is its accessible name. */
export function CodeBlock({ code, what, mah = 360, wraps = false }: Props) {
  return (
    <Group gap={4} wrap="nowrap" align="flex-start">
      <Code
        block
        mah={mah}
        tabIndex={0}
        role="region"
        aria-label={what}
        style={{
          ...{ flex: 1, minWidth: 0, overflow: 'auto', overflowWrap: 'normal' },
          ...(wraps ? { whiteSpace: 'pre-wrap', wordBreak: 'break-all' } : {}),
        }}
      >
        {code}
      </Code>
      <CopyButton value={code} what={what} />
    </Group>
  );
}
