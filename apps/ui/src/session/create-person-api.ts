import type { PersonApi, SecondFactorSetUp } from './person-api.ts';

/** Endpoints that both APIs have, with the same bodies and responses. */
type PersonEndpoint = Exclude<keyof PersonApi, 'usePerson'>;
type PersonCall = (name: PersonEndpoint, parts: { body?: object }) => Promise<object>;

interface PersonOptions<Session> {
  /** `call` of the app. Its types of the contract are wider than the ones needed here. */
  call: unknown;
  usePerson: PersonApi['usePerson'];
  enterSession: (session: Session) => void;
  renewSession: () => Promise<unknown>;
  /** After a new password or second factor, which end the other sessions. */
  onOthersEnded?: () => Promise<unknown>;
}

/** Sign-in and profile over the API of an app, for the shared pages. */
export function createPersonApi<Session>(options: PersonOptions<Session>): PersonApi {
  const { usePerson, enterSession, renewSession, onOthersEnded } = options;
  const call = options.call as PersonCall;
  const codesOf = (answer: object) => (answer as { recoveryCodes: string[] }).recoveryCodes;
  async function renewAll(): Promise<void> {
    await renewSession();
    await onOthersEnded?.();
  }
  return {
    usePerson,
    signIn: async (body) => enterSession((await call('signIn', { body })) as Session),
    signOut: async () => void (await call('signOut', {})),
    requestPasswordReset: (body) => call('requestPasswordReset', { body }),
    resetPassword: (body) => call('resetPassword', { body }),
    async updateProfile(body) {
      await call('updateProfile', { body });
      await renewSession();
    },
    async changePassword(body) {
      await call('changePassword', { body });
      await renewAll();
    },
    startSecondFactor: async (body) => (await call('startSecondFactor', { body })) as SecondFactorSetUp,
    async confirmSecondFactor(body) {
      const codes = codesOf(await call('confirmSecondFactor', { body }));
      await renewAll();
      return codes;
    },
    async removeSecondFactor(body) {
      await call('removeSecondFactor', { body });
      await renewSession();
    },
    renewRecoveryCodes: async (body) => codesOf(await call('renewRecoveryCodes', { body })),
  };
}
