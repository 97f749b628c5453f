import type { ButtonHTMLAttributes, InputHTMLAttributes, ReactNode } from 'react';
import { useId, useState } from 'react';
import { useText } from '../i18n/text.ts';
import { hrefOf, navigate } from '../router.ts';
import { Icon, type IconName } from './icon.tsx';

type Look = 'main' | 'go' | 'plain' | 'danger' | 'quiet';

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  look?: Look;
  icon?: IconName;
  /** The one next step of a page. */
  isLarge?: boolean;
}

/** At least 64 px high: gloves, rain, one thumb. */
export function Button({ look = 'plain', icon, isLarge = false, children, type = 'button', ...rest }: ButtonProps) {
  return (
    <button type={type} className={`button ${look}${isLarge ? ' large' : ''}`} {...rest}>
      {icon ? <Icon name={icon} /> : null}
      <span>{children}</span>
    </button>
  );
}

interface LinkProps {
  to: string;
  className?: string;
  children: ReactNode;
  'aria-current'?: 'page' | undefined;
}

/** A link within the app. */
export function Link({ to, children, ...rest }: LinkProps) {
  return (
    <a
      href={hrefOf(to)}
      {...rest}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey) return;
        event.preventDefault();
        navigate(to);
      }}
    >
      {children}
    </a>
  );
}

export function ButtonLink({
  to,
  look = 'plain',
  icon,
  children,
}: {
  to: string;
  look?: Look;
  icon?: IconName;
  children: ReactNode;
}) {
  return (
    <Link to={to} className={`button ${look}`}>
      {icon ? <Icon name={icon} /> : null}
      <span>{children}</span>
    </Link>
  );
}

/** A link to another app: the phone, messages, directions. */
export function OutsideLink({
  href,
  look = 'plain',
  icon,
  children,
}: {
  href: string;
  look?: Look;
  icon: IconName;
  children: ReactNode;
}) {
  const isWeb = href.startsWith('https:');
  return (
    <a className={`button ${look}`} href={href} {...(isWeb ? { target: '_blank', rel: 'noreferrer' } : {})}>
      <Icon name={icon} />
      <span>{children}</span>
    </a>
  );
}

interface FieldProps extends InputHTMLAttributes<HTMLInputElement> {
  label: string;
}

export function Field({ label, ...rest }: FieldProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input id={id} {...rest} />
    </div>
  );
}

export function PasswordField({ label, ...rest }: FieldProps) {
  const { t } = useText();
  const id = useId();
  const [isShown, show] = useState(false);
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className="with-button">
        <input id={id} {...rest} type={isShown ? 'text' : 'password'} />
        <button type="button" className="button plain" aria-pressed={isShown} onClick={() => show(!isShown)}>
          {isShown ? t.session.hide : t.session.show}
        </button>
      </div>
    </div>
  );
}

interface ChoiceProps<T extends string | number> {
  label: string;
  options: readonly (readonly [value: T, text: string])[];
  value: T | null;
  onChange: (value: T) => void;
  isRow?: boolean;
}

/** One of several large options. */
export function Choice<T extends string | number>({ label, options, value, onChange, isRow = false }: ChoiceProps<T>) {
  const name = useId();
  return (
    <fieldset className={isRow ? 'choice row' : 'choice'}>
      <legend>{label}</legend>
      {options.map(([option, text]) => (
        <label key={option}>
          <input type="radio" name={name} checked={option === value} onChange={() => onChange(option)} />
          <span>{text}</span>
        </label>
      ))}
    </fieldset>
  );
}
