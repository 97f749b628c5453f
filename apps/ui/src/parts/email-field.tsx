import { TextInput, type TextInputProps } from '@mantine/core';

/**
 * Not `type="email"`: browsers reject non-ASCII letters before the @ and rewrite the domain after it. The server
 * validates the address.
 */
export function EmailField({ onChange, ...props }: TextInputProps) {
  return (
    <TextInput
      inputMode="email"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={254}
      onChange={(event) => {
        event.currentTarget.value = event.currentTarget.value.trim(); // pasted text often has spaces around it
        onChange?.(event);
      }}
      {...props}
    />
  );
}
