export { signTestWebhook, type TestWebhook } from './sign-test-webhook.ts';
