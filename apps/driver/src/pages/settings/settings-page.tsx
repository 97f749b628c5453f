import { LANGUAGES, type Language } from '@navette/ui/language';
import { useState } from 'react';
import { unsubscribeFromPushes } from '../../device/push.ts';
import { changeLanguage, useText } from '../../i18n/text.ts';
import { outboxStore, waitingIn } from '../../outbox/outbox.ts';
import { Button, ButtonLink, Choice } from '../../parts/controls.tsx';
import { Message } from '../../parts/message.tsx';
import { Screen } from '../../parts/screen.tsx';
import { NAVIGATION_APPS } from '../../runs/navigation-links.ts';
import { signOut } from '../../session/session.ts';
import { useStore } from '../../state/store.ts';
import { changeSettings, type Settings, settingsStore } from '../../storage/settings.ts';
import { Devices } from './devices.tsx';

const TEXT_SIZES: Settings['textSize'][] = [100, 125, 150, 200];
const THEMES: Settings['theme'][] = ['auto', 'light', 'dark'];

export function SettingsPage() {
  const { t, format, language } = useText();
  const { textSize, theme, sound, navigation, wakeLock } = useStore(settingsStore);
  const onOff = [
    ['on', t.settings.on],
    ['off', t.settings.off],
  ] as const;
  return (
    <Screen title={t.settings.title}>
      <Choice
        isRow
        label={t.settings.language}
        options={Object.entries(LANGUAGES) as [Language, string][]}
        value={language}
        onChange={changeLanguage}
      />
      <Choice
        isRow
        label={t.settings.textSize}
        options={TEXT_SIZES.map((size) => [size, format.percent(size / 100)] as const)}
        value={textSize}
        onChange={(next) => changeSettings({ textSize: next })}
      />
      <Choice
        isRow
        label={t.settings.theme}
        options={THEMES.map((one) => [one, t.settings.themes[one]] as const)}
        value={theme}
        onChange={(next) => changeSettings({ theme: next })}
      />
      <Choice
        isRow
        label={t.settings.sound}
        options={onOff}
        value={sound ? 'on' : 'off'}
        onChange={(next) => changeSettings({ sound: next === 'on' })}
      />
      <Choice
        isRow
        label={t.settings.wakeLock}
        options={onOff}
        value={wakeLock ? 'on' : 'off'}
        onChange={(next) => changeSettings({ wakeLock: next === 'on' })}
      />
      <Choice
        label={t.settings.navigation}
        options={[
          ['ask', t.settings.navigationAsk] as const,
          ...NAVIGATION_APPS.map((app) => [app, t.navigation[app]] as const),
        ]}
        value={navigation ?? 'ask'}
        onChange={(next) => changeSettings({ navigation: next === 'ask' ? null : next })}
      />
      <Devices />
      <section>
        <h2>{t.settings.phone}</h2>
        <div className="stack">
          <ButtonLink to="/start">{t.settings.prepare}</ButtonLink>
          <ButtonLink to="/diagnosis">{t.settings.diagnosis}</ButtonLink>
          <SignOut />
        </div>
      </section>
    </Screen>
  );
}

function SignOut() {
  const { t } = useText();
  const waiting = waitingIn(useStore(outboxStore)).length;
  const [isAsking, setAsking] = useState(false);
  const leave = () =>
    void unsubscribeFromPushes()
      .catch(() => {})
      .then(signOut);
  if (!isAsking) {
    return (
      <Button look="danger" onClick={() => (waiting > 0 ? setAsking(true) : leave())}>
        {t.settings.signOut}
      </Button>
    );
  }
  return (
    <Message kind="warning">
      <p>{t.settings.signOutWaiting(waiting)}</p>
      <div className="buttons">
        <Button look="danger" onClick={leave}>
          {t.settings.signOutConfirm}
        </Button>
        <Button onClick={() => setAsking(false)}>{t.app.cancel}</Button>
      </div>
    </Message>
  );
}
