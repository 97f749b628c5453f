import type { DashboardAnswer, NewPasskey, PasskeyProof } from '@navette/contract';
import { startAuthentication, startRegistration } from '@simplewebauthn/browser';

const TIMEOUT_MS = 300_000; // as long as a challenge is valid
const ES256 = -7;
const RS256 = -257; // older Windows machines
const ED25519 = -8;

/** Asks the browser to sign in with any passkey of this site. The device checks the person. */
export async function askForPasskey({ challenge, rpId }: DashboardAnswer<'startPasskeySignIn'>): Promise<PasskeyProof> {
  const { id, response } = await startAuthentication({
    optionsJSON: { challenge, rpId, userVerification: 'required', timeout: TIMEOUT_MS },
  });
  const { clientDataJSON, authenticatorData, signature, userHandle = '' } = response;
  return { id, clientDataJSON, authenticatorData, signature, userHandle };
}

/** Asks the browser to create a passkey that it can offer without an e-mail address. */
export async function createPasskey(started: DashboardAnswer<'startPasskey'>): Promise<Omit<NewPasskey, 'name'>> {
  const { challenge, rp, user, exclude } = started;
  const { response } = await startRegistration({
    optionsJSON: {
      ...{ challenge, rp, user, timeout: TIMEOUT_MS, attestation: 'none' },
      pubKeyCredParams: [ED25519, ES256, RS256].map((alg) => ({ type: 'public-key', alg })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: exclude.map(({ id, transports }) => ({ type: 'public-key', id, transports })),
    },
  });
  const { clientDataJSON, attestationObject, transports = [] } = response;
  return { clientDataJSON, attestationObject, transports };
}
