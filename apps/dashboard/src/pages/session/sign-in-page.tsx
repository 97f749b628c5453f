import type { SessionAnswer } from '@navette/contract';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { enterSession } from '../../session/session.ts';
import { CodeStep } from './code-step.tsx';
import { type Credentials, PasswordStep } from './password-step.tsx';

/** Only ways inside the dashboard: an address that somebody put into the link leads nowhere else. */
const isInside = (href: string | undefined): href is string => href !== undefined && /^\/(?![/\\])/.test(href);

export default function SignInPage() {
  const { next } = useSearch({ from: '/guest/sign-in' });
  const navigate = useNavigate();
  const [proven, setProven] = useState<Credentials | null>(null);

  const enter = async (session: SessionAnswer) => {
    enterSession(session);
    await (isInside(next) ? navigate({ href: next }) : navigate({ to: '/' }));
  };
  if (proven) return <CodeStep credentials={proven} onEntered={enter} onBack={() => setProven(null)} />;
  return <PasswordStep onEntered={enter} onCodeNeeded={setProven} />;
}
