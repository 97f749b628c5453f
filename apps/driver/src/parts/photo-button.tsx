import { type ChangeEvent, useId, useState } from 'react';
import { shrinkPhoto } from '../device/photo.ts';
import { useText } from '../i18n/text.ts';
import { Icon } from './icon.tsx';
import { Result } from './message.tsx';

/** Opens the phone's camera and returns a small JPEG. */
export function PhotoButton({ label, onPhoto }: { label: string; onPhoto: (base64: string) => void }) {
  const { t } = useText();
  const id = useId();
  const [isFailed, setFailed] = useState(false);

  async function take({ currentTarget }: ChangeEvent<HTMLInputElement>) {
    const file = currentTarget.files?.[0];
    currentTarget.value = ''; // the same photo may be chosen again
    if (!file) return;
    const photo = await shrinkPhoto(file).catch(() => null);
    setFailed(photo === null);
    if (photo !== null) onPhoto(photo);
  }

  return (
    <>
      <input
        id={id}
        className="only-read"
        type="file"
        accept="image/*"
        capture="environment"
        onChange={(event) => void take(event)}
      />
      <label htmlFor={id} className="button plain">
        <Icon name="camera" />
        <span>{label}</span>
      </label>
      <Result error={isFailed ? t.proof.photoFailed : null} />
    </>
  );
}

/** The photos taken on this page. */
export function Photos({ photos }: { photos: string[] }) {
  const { t } = useText();
  if (photos.length === 0) return null;
  return (
    <div className="photos">
      {photos.map((photo) => (
        <img key={photo.slice(-64)} src={`data:image/jpeg;base64,${photo}`} alt={t.proof.photoKept} />
      ))}
    </div>
  );
}
