import { useEffect, useState } from 'react';
import { installStore, isInstalled, isIos } from '../../device/install.ts';
import { askFor, type Permission, permissionOf } from '../../device/permissions.ts';
import { subscribeToPushes } from '../../device/push.ts';
import { useText } from '../../i18n/text.ts';
import { Button } from '../../parts/controls.tsx';
import { Icon, type IconName } from '../../parts/icon.tsx';
import { Message } from '../../parts/message.tsx';
import { Screen } from '../../parts/screen.tsx';
import { navigate } from '../../router.ts';
import { useStore } from '../../state/store.ts';
import { changeSettings } from '../../storage/settings.ts';

const STEPS = ['location', 'notifications', 'camera', 'install'] as const;
type Step = (typeof STEPS)[number];
const ICONS: Record<Step, IconName> = { location: 'pin', notifications: 'message', camera: 'camera', install: 'home' };
const PERMISSIONS = { location: 'geolocation', notifications: 'notifications', camera: 'camera' } as const;

/** The first start: asks for one thing at a time and says why. Nothing is required. */
export function StartPage() {
  const { t } = useText();
  const [at, setAt] = useState(0);
  const step = STEPS[at] ?? 'install';
  const isLast = at === STEPS.length - 1;

  function goOn() {
    if (!isLast) return setAt(at + 1);
    changeSettings({ isPrepared: true });
    navigate('/');
  }

  return (
    <Screen
      title={t.start.title}
      footer={
        <Button look="plain" isLarge onClick={goOn}>
          {isLast ? t.start.finish : t.start.next}
        </Button>
      }
    >
      <p className="muted">{t.start.step(at + 1, STEPS.length)}</p>
      <section className="start-step" key={step}>
        <div className="start-picture">
          <Icon name={ICONS[step]} />
        </div>
        <h2>{t.start[step].title}</h2>
        <p>{t.start[step].why}</p>
        {step === 'install' ? <Install /> : <Ask step={step} />}
      </section>
    </Screen>
  );
}

function Ask({ step }: { step: keyof typeof PERMISSIONS }) {
  const { t } = useText();
  const [state, setState] = useState<Permission | null>(null);
  useEffect(() => void permissionOf(PERMISSIONS[step]).then(setState), [step]);

  async function ask() {
    const answer = await askFor(PERMISSIONS[step]);
    setState(answer);
    if (step === 'notifications' && answer === 'granted') await subscribeToPushes().catch(() => {});
  }

  if (state === null) return null;
  if (state === 'prompt') {
    return (
      <Button look="main" isLarge onClick={() => void ask()}>
        {t.start[step].allow}
      </Button>
    );
  }
  return (
    <Message kind={state === 'granted' ? 'good' : 'warning'}>
      <p>{t.start[state]}</p>
    </Message>
  );
}

function Install() {
  const { t } = useText();
  const prompt = useStore(installStore);
  if (isInstalled()) {
    return (
      <Message kind="good">
        <p>{t.start.installed}</p>
      </Message>
    );
  }
  if (!prompt) return <p className="note">{isIos() ? t.start.install.ios : t.start.install.other}</p>;
  return (
    <Button look="main" isLarge onClick={() => void prompt.prompt()}>
      {t.start.install.allow}
    </Button>
  );
}
