import { webAppConfig } from '@navette/ui/web-app-config';
import { defineConfig } from 'vite';

export default defineConfig(webAppConfig({ name: 'console', folder: import.meta.dirname, port: 5175 }));
