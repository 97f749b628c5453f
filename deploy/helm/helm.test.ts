import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PrometheusRule } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/PrometheusRule';
import { ServiceMonitor } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/ServiceMonitor';
import { Deployment } from 'kubernetes-models/apps/v1/Deployment';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler';
import { Job } from 'kubernetes-models/batch/v1/Job';
import { Ingress } from 'kubernetes-models/networking.k8s.io/v1/Ingress';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import { Service } from 'kubernetes-models/v1/Service';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readConfig, VARIABLES } from '../../server/src/config.ts';
import { renderChart } from './render-chart.ts';

const MODELS = [
  Deployment,
  HorizontalPodAutoscaler,
  Ingress,
  Job,
  NetworkPolicy,
  PodDisruptionBudget,
  PrometheusRule,
  Service,
  ServiceMonitor,
];
const read = (path: string) => readFileSync(join(import.meta.dirname, path), 'utf8');
const RULES = read('../monitoring/navette.rules.yml');
const SECRET = [
  ...['DATABASE_URL', 'REDIS_URL', 'LINK_SECRETS', 'WEBHOOK_SECRET_KEYS', 'SECOND_FACTOR_KEYS'],
  ...['SMS_URL', 'MAIL_URL', 'S3_SECRET_ACCESS_KEY'],
];
const REQUIRED = {
  image: { repository: 'registry.example.org/navette' },
  publicUrl: 'https://navette.example.org',
  ingress: { host: 'navette.example.org' },
};
const EVERYTHING = {
  ...REQUIRED,
  image: { ...REQUIRED.image, digest: `sha256:${'0'.repeat(64)}`, pullSecrets: [{ name: 'registry' }] },
  settings: { TRUSTED_PROXIES: '10.0.0.0/8', LABEL_STORE: 'https://s3.example.org/labels' },
  worker: { autoscaling: { enabled: true } },
  ingress: { ...REQUIRED.ingress, className: 'nginx', annotations: { 'example.org/size': '1' } },
  networkPolicy: {
    ingressFrom: [{ namespaceSelector: { matchLabels: { name: 'ingress' } } }],
    metricsFrom: [{ namespaceSelector: { matchLabels: { name: 'monitoring' } } }],
    egress: [{ to: [{ ipBlock: { cidr: '10.1.0.0/16' } }] }],
  },
  serviceMonitor: { enabled: true, labels: { release: 'prometheus' } },
  prometheusRule: { rules: RULES, labels: { release: 'prometheus' } },
};
const LEAST = {
  ...REQUIRED,
  api: { autoscaling: { enabled: false } },
  ingress: { enabled: false },
  networkPolicy: { enabled: false },
};

// biome-ignore lint/suspicious/noExplicitAny: objects of nine kinds; their schemas are checked by the first test
type KubernetesObject = any;

const render = (values: Record<string, unknown>) =>
  renderChart(join(import.meta.dirname, 'navette'), values) as KubernetesObject[];
const find = (objects: KubernetesObject[], kind: string, name: string) =>
  objects.find((object) => object.kind === kind && object.metadata.name === name);
const podsOf = (objects: KubernetesObject[]) =>
  objects.filter(({ kind }) => kind === 'Deployment' || kind === 'Job').map(({ spec }) => spec.template);

function problemsOf(object: KubernetesObject): unknown {
  const model = MODELS.find(({ kind, apiVersion }) => kind === object.kind && apiVersion === object.apiVersion);
  if (!model) return `no schema of ${object.apiVersion} ${object.kind}`;
  try {
    return new model(object).validate() ?? null;
  } catch (error) {
    return (error as Error).message;
  }
}

describe('every object is valid in the schemas of Kubernetes and the Prometheus operator', () => {
  test.each([
    ['least', LEAST, 7],
    ['default', REQUIRED, 10],
    ['everything', EVERYTHING, 13],
  ])('with %s', (_, values, count) => {
    const objects = render(values);
    expect(objects).toHaveLength(count);
    for (const object of objects) expect(problemsOf(object), object.metadata.name).toBe(null);
  });

  test('the schemas refuse wrong types', () => {
    const [deployment] = render(REQUIRED).filter(({ kind }) => kind === 'Deployment');
    deployment.spec.template.spec.containers[0].ports[0].containerPort = 'operator';
    expect(problemsOf(deployment)).toMatch(/containerPort/);
  });
});

test.each([
  ['publicUrl', { ...REQUIRED, publicUrl: '' }],
  ['image.repository', { ...REQUIRED, image: {} }],
  ['ingress.host', { ...REQUIRED, ingress: {} }],
  ['existingSecret', { ...REQUIRED, existingSecret: '' }],
])('without %s nothing is rendered', (name, values) => {
  expect(() => render(values)).toThrow(`set ${name}`);
});

test('every pod is confined as the image allows: not root, read-only, no capabilities, no token', () => {
  const pods = podsOf(render(EVERYTHING));
  expect(pods).toHaveLength(3);
  for (const { spec } of pods) {
    expect(spec).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, runAsUser: 10001, seccompProfile: { type: 'RuntimeDefault' } },
    });
    const [{ securityContext, image }] = spec.containers;
    expect(securityContext).toEqual({
      readOnlyRootFilesystem: true,
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
    });
    expect(image).toBe(`registry.example.org/navette@sha256:${'0'.repeat(64)}`);
  }
});

test('every pod has settings that the service accepts, with every secret from the existing Secret', () => {
  for (const { spec } of podsOf(render(EVERYTHING))) {
    const [{ env, envFrom }] = spec.containers;
    expect(envFrom).toEqual([{ secretRef: { name: 'navette' } }]);
    const settings = Object.fromEntries(env.map(({ name, value }: KubernetesObject) => [name, value]));
    expect(SECRET.filter((name) => name in settings)).toEqual([]);
    const own = {
      LINK_SECRETS: 'a'.repeat(64),
      WEBHOOK_SECRET_KEYS: 'b'.repeat(64),
      SECOND_FACTOR_KEYS: 'c'.repeat(64),
    };
    expect(readConfig({ ...own, ...settings })).toMatchObject({ publicUrl: REQUIRED.publicUrl, drainSeconds: 10 });
    expect(Object.keys(settings).filter((name) => !(name in VARIABLES))).toEqual([]);
  }
});

test('values name no secret, and the chart creates none', () => {
  expect(SECRET.filter((name) => !(name in VARIABLES))).toEqual([]);
  expect(SECRET.filter((name) => new RegExp(`^[^#]*${name}`, 'm').test(read('navette/values.yaml')))).toEqual([]);
  expect(render(EVERYTHING).filter(({ kind }) => kind === 'Secret')).toEqual([]);
});

test('pods outlive their drain and their jobs, which get 20 s', () => {
  for (const { spec } of podsOf(render(REQUIRED))) expect(spec.terminationGracePeriodSeconds).toBeGreaterThan(10 + 20);
});

test('migrations run before pods of a new version start, and each role runs its own command', () => {
  const objects = render(REQUIRED);
  const job = find(objects, 'Job', 'navette-migrate');
  expect(job.metadata.annotations['helm.sh/hook']).toBe('pre-install,pre-upgrade');
  expect(podsOf(objects).map(({ spec }) => spec.containers[0].args)).toEqual([
    ['migrate'],
    ['serve', 'api'],
    ['serve', 'worker'],
  ]);
});

test('each autoscaler and budget matches its role: cpu for the api, age of the queue for the worker', () => {
  const objects = render(EVERYTHING);
  for (const role of ['api', 'worker']) {
    const { spec } = find(objects, 'Deployment', `navette-${role}`);
    const labels = spec.template.metadata.labels;
    expect(spec.replicas).toBe(undefined); // the autoscaler decides
    expect(spec.selector.matchLabels).toEqual(labels);
    expect(find(objects, 'PodDisruptionBudget', `navette-${role}`).spec.selector.matchLabels).toEqual(labels);
    expect(find(objects, 'HorizontalPodAutoscaler', `navette-${role}`).spec.scaleTargetRef.name).toBe(
      `navette-${role}`,
    );
  }
  const metricOf = (role: string) => find(objects, 'HorizontalPodAutoscaler', `navette-${role}`).spec.metrics[0];
  expect(metricOf('api').resource).toMatchObject({ name: 'cpu', target: { averageUtilization: 60 } });
  expect(metricOf('worker').external.metric.name).toBe('navette_queue_oldest_seconds');
  expect(read('../../docs/operators/monitoring.md')).toContain('| `navette_queue_oldest_seconds` | worker |');
});

test('services, probes and policies name ports that the pods have; the operator’s port is closed by default', () => {
  const objects = render(REQUIRED);
  const portsOf = (role: string) =>
    find(objects, 'Deployment', `navette-${role}`).spec.template.spec.containers[0].ports.map(
      ({ name }: KubernetesObject) => name,
    );
  expect(portsOf('api')).toEqual(['operator', 'http']);
  expect(portsOf('worker')).toEqual(['operator']);
  expect(find(objects, 'Service', 'navette').spec.ports[0].targetPort).toBe('http');
  expect(find(objects, 'Service', 'navette-operator').spec.ports[0].targetPort).toBe('operator');
  const allowed = find(objects, 'NetworkPolicy', 'navette').spec.ingress;
  expect(allowed).toEqual([{ ports: [{ port: 'http' }] }]);
});

test('pods are probed on the operator’s port, and have the ports of the image', () => {
  const objects = render(REQUIRED);
  const operatorPort = Number(/OPERATOR_PORT=(\d+)/.exec(read('../image/Containerfile'))?.[1]);
  const operator = { name: 'operator', containerPort: operatorPort };
  const http = { name: 'http', containerPort: Number(VARIABLES.PORT?.default) };
  for (const [role, expected] of Object.entries({ api: [operator, http], worker: [operator] })) {
    const [container] = find(objects, 'Deployment', `navette-${role}`).spec.template.spec.containers;
    expect(container.ports).toEqual(expected);
    expect(container.startupProbe.httpGet).toEqual({ path: '/healthz', port: 'operator' });
    expect(container.livenessProbe.httpGet).toEqual({ path: '/healthz', port: 'operator' });
    expect(container.readinessProbe.httpGet).toEqual({ path: '/readyz', port: 'operator' });
  }
});

test('Prometheus scrapes the operator’s service, and gets the rules of deploy/monitoring unchanged', () => {
  const objects = render(EVERYTHING);
  const service = find(objects, 'Service', 'navette-operator');
  const { selector, endpoints } = find(objects, 'ServiceMonitor', 'navette').spec;
  expect(service.metadata.labels).toEqual(selector.matchLabels);
  expect(endpoints).toMatchObject([{ port: service.spec.ports[0].name, path: '/metrics' }]);
  expect(find(objects, 'PrometheusRule', 'navette').spec).toEqual(parse(RULES));
});
