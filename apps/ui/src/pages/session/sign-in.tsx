import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { Credentials } from '../../session/person-api.ts';
import { CodeStep } from './code-step.tsx';
import { PasswordStep } from './password-step.tsx';

/** Allows paths of the app only, to prevent open redirects through the link. */
const isOwnPath = (href: string | undefined): href is string => href !== undefined && /^\/(?![/\\])/.test(href);

interface Props {
  /** The page that was requested without a session. */
  next: string | undefined;
  /** For people without access. */
  note: string;
  /** Other ways to sign in. */
  above?: ReactNode;
  /** The same, below the form. */
  below?: (onEntered: () => Promise<void>) => ReactNode;
}

/** Sign-in with password and, if the person has one, second factor. */
export function SignIn({ next, note, above, below }: Props) {
  const navigate = useNavigate();
  const [proven, setProven] = useState<Credentials | null>(null);
  const enter = () => (isOwnPath(next) ? navigate({ href: next }) : navigate({ to: '/' }));
  if (proven) return <CodeStep credentials={proven} onEntered={enter} onBack={() => setProven(null)} />;
  return <PasswordStep onEntered={enter} onCodeNeeded={setProven} note={note} above={above} below={below?.(enter)} />;
}
