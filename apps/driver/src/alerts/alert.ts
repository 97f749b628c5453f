import { settingsStore } from '../storage/settings.ts';

type Alert = 'offer' | 'done' | 'problem';

/** Frequency in Hz and start in seconds of each tone. Vibration never comes alone: not every phone has it. */
const TONES: Record<Alert, [hertz: number, at: number][]> = {
  offer: [
    [880, 0],
    [1_175, 0.18],
    [880, 0.36],
    [1_175, 0.54],
  ],
  done: [
    [660, 0],
    [990, 0.15],
  ],
  problem: [
    [330, 0],
    [262, 0.25],
  ],
};
const VIBRATIONS: Record<Alert, number[]> = { offer: [300, 100, 300, 100, 300], done: [80], problem: [200, 100, 200] };
const TONE_SECONDS = 0.16;

let audio: AudioContext | undefined;

/** Browsers allow sound only after a touch. */
export function unlockSound(): void {
  const unlock = () => {
    audio ??= new AudioContext();
    void audio.resume();
  };
  addEventListener('pointerdown', unlock);
  addEventListener('keydown', unlock);
}

export function playAlert(alert: Alert): void {
  if (!settingsStore.get().sound) return;
  navigator.vibrate?.(VIBRATIONS[alert]);
  if (audio?.state !== 'running') return;
  for (const [hertz, at] of TONES[alert]) {
    const [tone, volume] = [audio.createOscillator(), audio.createGain()];
    const start = audio.currentTime + at;
    tone.type = 'square';
    tone.frequency.value = hertz;
    volume.gain.setValueAtTime(0.2, start);
    volume.gain.exponentialRampToValueAtTime(0.001, start + TONE_SECONDS);
    tone.connect(volume).connect(audio.destination);
    tone.start(start);
    tone.stop(start + TONE_SECONDS);
  }
}
