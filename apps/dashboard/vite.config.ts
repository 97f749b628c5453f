import { webAppConfig } from '@navette/ui/web-app-config';
import { defineConfig } from 'vite';

export default defineConfig(webAppConfig({ name: 'dashboard', folder: import.meta.dirname, port: 5173, sharedBy: 4 }));
