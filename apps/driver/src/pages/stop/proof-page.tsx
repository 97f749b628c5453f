import { useState } from 'react';
import { playAlert } from '../../alerts/alert.ts';
import { useText } from '../../i18n/text.ts';
import { submit } from '../../outbox/outbox.ts';
import { Message } from '../../parts/message.tsx';
import { PhotoButton, Photos } from '../../parts/photo-button.tsx';
import { Screen } from '../../parts/screen.tsx';
import type { RunView } from '../../runs/run-view.ts';
import { SignatureForm } from './signature-form.tsx';

/** Photos and a signature. Each goes to the outbox at once: nothing is kept for a button that nobody presses. */
export function ProofPage({ run: { shipment } }: { run: RunView }) {
  const { t } = useText();
  const [photos, setPhotos] = useState<string[]>([]);
  const [isSigned, setSigned] = useState(false);
  const { id, referenceNumber } = shipment;

  async function keep(body: Record<string, unknown>) {
    await submit({ name: 'addProof', shipmentId: id, referenceNumber, body });
    playAlert('done');
  }

  return (
    <Screen title={t.proof.title} back={`/stop/${id}`}>
      <p className="muted">{t.proof.intro}</p>
      <PhotoButton
        label={t.proof.takePhoto}
        onPhoto={(content) => {
          setPhotos([...photos, content]);
          void keep({ kind: 'photo', content });
        }}
      />
      <div role="status">
        <Photos photos={photos} />
        {photos.length > 0 ? (
          <Message kind="good">
            <p>{t.proof.photoKept}</p>
          </Message>
        ) : null}
      </div>
      <section>
        <h2>{t.proof.signature}</h2>
        <div role="status">
          {isSigned ? (
            <Message kind="good">
              <p>{t.proof.signatureKept}</p>
            </Message>
          ) : null}
        </div>
        {isSigned ? null : (
          <SignatureForm
            recipientName={shipment.delivery.recipientName}
            onSigned={(signature) => {
              setSigned(true);
              void keep({ kind: 'signature', ...signature });
            }}
          />
        )}
      </section>
    </Screen>
  );
}
