import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { createLink } from '@tanstack/react-router';
import type { ComponentProps } from 'react';

type LinkProps<Look> = Look & Omit<ComponentProps<'a'>, keyof Look>;

/** Mantine's button and link with the router's typed parameters. */
export const ButtonLink = createLink((props: LinkProps<ButtonProps>) => <Button component="a" {...props} />);
export const AnchorLink = createLink((props: LinkProps<AnchorProps>) => <Anchor {...props} />);

/** Link above a page title, to the parent page. */
export const BackLink = createLink(({ children, ...props }: ComponentProps<'a'>) => (
  <Anchor {...props} size="sm" mb="xs" display="inline-flex" style={{ gap: 4, alignItems: 'center' }}>
    <IconArrowLeft size={16} aria-hidden />
    {children}
  </Anchor>
));
