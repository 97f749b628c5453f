/** The same in every emulator, so that a test suite can contain them. They open nothing but an emulator. */
export const API_KEY = 'navette_test_emulator00000000000000000000000000000000000';
export const CLIENT_ID = 'nvc_test_emulator';
export const WEBHOOK_SECRET = 'navette_whsec_emulator';
export const DEFAULT_PORT = 4010;
