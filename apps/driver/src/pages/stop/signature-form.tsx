import { SIGNER_RELATIONS, type SignerRelation } from '@navette/contract/driver-proofs';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import type SignaturePad from 'signature_pad';
import { base64Of } from '../../device/photo.ts';
import { useText } from '../../i18n/text.ts';
import { Button, Choice, Field } from '../../parts/controls.tsx';
import { Result } from '../../parts/message.tsx';

interface Signature {
  content: string;
  signerName: string;
  signerRelation: SignerRelation;
}

export function SignatureForm({
  recipientName,
  onSigned,
}: {
  recipientName: string | null;
  onSigned: (signature: Signature) => void;
}) {
  const { t } = useText();
  const canvas = useRef<HTMLCanvasElement>(null);
  const pad = useRef<SignaturePad | null>(null);
  const [name, setName] = useState(recipientName ?? '');
  const [relation, setRelation] = useState<SignerRelation>('recipient');
  const [error, setError] = useState<string | null>(null);

  useEffect(() => {
    let isClosed = false;
    void import('signature_pad').then(({ default: Pad }) => {
      const drawing = canvas.current;
      if (!drawing || isClosed) return;
      drawing.width = drawing.clientWidth * 2; // sharp on any screen, and small enough to send
      drawing.height = drawing.clientHeight * 2;
      drawing.getContext('2d')?.scale(2, 2);
      pad.current = new Pad(drawing, { backgroundColor: 'white', penColor: 'black', minWidth: 1.5, maxWidth: 4 });
    });
    return () => {
      isClosed = true;
      pad.current?.off();
    };
  }, []);

  function choose(next: SignerRelation) {
    setRelation(next);
    if (next !== 'recipient' && name === recipientName) setName(''); // somebody else has another name
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    const drawing = canvas.current;
    if (name.trim() === '') return setError(t.proof.needName);
    if (!drawing || !pad.current || pad.current.isEmpty()) return setError(t.proof.needSignature);
    onSigned({ content: base64Of(drawing, 'image/png'), signerName: name.trim(), signerRelation: relation });
  }

  return (
    <form onSubmit={submit} className="stack" noValidate>
      <Choice
        isRow
        label={t.proof.relation}
        options={SIGNER_RELATIONS.map((one) => [one, t.proof.relations[one]] as const)}
        value={relation}
        onChange={choose}
      />
      <Field label={t.proof.name} value={name} maxLength={200} onChange={({ target }) => setName(target.value)} />
      <div className="signature">
        <p id="sign-here">{t.proof.sign}</p>
        <canvas ref={canvas} aria-labelledby="sign-here" />
      </div>
      <Result error={error} />
      <div className="buttons">
        <Button onClick={() => pad.current?.clear()}>{t.proof.clear}</Button>
        <Button type="submit" look="main">
          {t.proof.save}
        </Button>
      </div>
    </form>
  );
}
