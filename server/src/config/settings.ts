/**
 * The one table of settings: each entry holds the name of the environment variable, its parser, a default fit for
 * development, and a description. `Config` and the table in README.md are derived from it.
 */
import {
  addressList,
  basisPoints,
  countries,
  country,
  databaseUrl,
  decimal,
  distancesKm,
  integer,
  mailbox,
  networks,
  oneOf,
  optionalBic,
  optionalCell,
  optionalDatabaseUrl,
  optionalIban,
  optionalInteger,
  optionalMonth,
  optionalPort,
  optionalSiren,
  optionalStripeKey,
  optionalTokens,
  optionalUrl,
  optionalVapidKey,
  optionalVatId,
  percent,
  secrets,
  speedsByHour,
  text,
  timeZone,
  url,
} from './parsers.ts';

/** How long the log of webhook deliveries is kept: long enough to find out why an event was missed. */
export const LOGS_KEPT_DAYS = 30;

export class Setting<T> {
  readonly name: string;
  readonly parse: (text: string) => T;
  readonly default: string;
  readonly description: string;
  /** The default is public: it is accepted only where no other machine can reach the service. */
  readonly isSecret: boolean;

  constructor(name: string, parse: (text: string) => T, fallback: string, description: string, isSecret = false) {
    this.name = name;
    this.parse = parse;
    this.default = fallback;
    this.description = description;
    this.isSecret = isSecret;
  }
}

const setting = <T>(name: string, parse: (text: string) => T, fallback: string, description: string) =>
  new Setting(name, parse, fallback, description);

const secretSetting = (name: string, description: string) =>
  new Setting(name, secrets, 'for-development-only-not-a-secret', description, true);

/** In the order in which README.md lists them. */
export const SETTINGS = {
  databaseUrl: setting(
    'DATABASE_URL',
    databaseUrl,
    'postgres://127.0.0.1:5432/navette',
    'PostgreSQL. `navette migrate` creates the database when it is missing.',
  ),
  databaseDirectUrl: setting(
    'DATABASE_DIRECT_URL',
    optionalDatabaseUrl,
    '',
    'PostgreSQL without a connection pooler in between, for migrations and for notifications of new jobs. Empty: `DATABASE_URL`. Needed only when that one leads to PgBouncer in transaction mode.',
  ),
  databasePoolSize: setting(
    'DATABASE_POOL_SIZE',
    integer(2, 500),
    '10',
    'PostgreSQL connections of a process for requests, and the same number again for prepared statements; creations, exports and jobs use up to 23 more.',
  ),
  databaseTimeLimitSeconds: setting(
    'DATABASE_TIME_LIMIT_SECONDS',
    integer(2, 300),
    '10',
    'A statement of a request or job that takes longer fails. Half of it is the limit for a connection to become available.',
  ),
  cell: setting(
    'CELL',
    optionalCell,
    '',
    'Two characters that name this cell, where several regions with a database each are behind one router (docs/operators/cells.md). New keys, tokens and reference numbers contain it.',
  ),
  directoryUrl: setting(
    'DIRECTORY_URL',
    optionalDatabaseUrl,
    '',
    'PostgreSQL database of the directory of cells: which cells exist, and in which one a person signs in. The same for all cells.',
  ),
  redisUrl: setting(
    'REDIS_URL',
    url(['redis:', 'rediss:']),
    'redis://127.0.0.1:6379',
    'Redis: rate limits, driver positions and messages between driver sockets. Losing Redis loses no data.',
  ),
  redisTimeLimitMs: setting(
    'REDIS_TIME_LIMIT_MS',
    integer(50, 60_000),
    '250',
    'A command of Redis that takes longer fails, and the process goes on without Redis: it counts its own requests only.',
  ),
  redisPrefix: setting(
    'REDIS_PREFIX',
    text,
    'navette:',
    'Prefix of every Redis key, so that several installations can share one server.',
  ),
  host: setting('HOST', text, '127.0.0.1', 'Address to listen on; `0.0.0.0` in a container.'),
  port: setting('PORT', integer(0, 65_535), '3000', 'Port to listen on; 0 lets the system choose.'),
  publicUrl: setting(
    'PUBLIC_URL',
    optionalUrl(['http:', 'https:']),
    '',
    'URL under which clients reach the service; every absolute link starts with it. Empty: built from HOST and PORT.',
  ),
  timeZone: setting('TIME_ZONE', timeZone, 'Europe/Paris', 'Time zone of slots, pickup times and days.'),
  geocoderUrl: setting(
    'GEOCODER_URL',
    optionalUrl(['http:', 'https:']),
    '',
    'Base URL of a geocoder with the protocol of the French national address service (`GET /search`). Empty: the built-in list of towns is used, which locates an address by its town only.',
  ),
  labelStore: setting(
    'LABEL_STORE',
    text,
    'var/labels',
    'Where drawn labels are stored: a directory, or the URL of an S3 bucket (`https://s3.example.org/labels`).',
  ),
  proofStore: setting(
    'PROOF_STORE',
    text,
    'var/proofs',
    'Where photos, signatures and archived shipments are stored, as `LABEL_STORE`. Unlike labels they cannot be made again: back them up.',
  ),
  s3: {
    region: setting('S3_REGION', text, 'us-east-1', 'Region of the bucket.'),
    accessKeyId: setting('S3_ACCESS_KEY_ID', text, '', 'Access key of the bucket.'),
    secretAccessKey: setting('S3_SECRET_ACCESS_KEY', text, '', 'Secret of that access key.'),
  },
  labelThreads: setting(
    'LABEL_THREADS',
    integer(1, 64),
    '1',
    'Threads of an api process that draw labels for exports; single labels have one thread of their own.',
  ),
  activationLeadMinutes: setting(
    'ACTIVATION_LEAD_MINUTES',
    integer(0, 10_080),
    '60',
    'Minutes before its slot at which the search for a driver starts for a programmed shipment.',
  ),
  dispatch: {
    radiiKm: setting(
      'DISPATCH_RADIUS_KM',
      distancesKm,
      '3,6,12',
      'Search radius around the pickup address, one distance in km per wave of offers.',
    ),
    waveSize: setting('DISPATCH_WAVE_SIZE', integer(1, 100), '3', 'Number of drivers that get an offer in one wave.'),
    offerSeconds: setting(
      'DISPATCH_OFFER_SECONDS',
      integer(1, 3_600),
      '30',
      'Seconds that a driver has to answer an offer before the next wave starts.',
    ),
    retrySeconds: setting(
      'DISPATCH_RETRY_SECONDS',
      integer(1, 86_400),
      '60',
      'Seconds between the last wave without a driver and the next search.',
    ),
    runsPerDriver: setting(
      'DISPATCH_RUNS_PER_DRIVER',
      integer(1, 1_000),
      '3',
      'Active shipments of a driver at which offers to that driver stop. The operator may assign more.',
    ),
  },
  arrival: {
    roadFactor: setting(
      'ARRIVAL_ROAD_FACTOR',
      decimal(1, 5),
      '1.35',
      'Road distance divided by straight distance, for arrival estimates until deliveries have taught better.',
    ),
    kmPerHour: setting(
      'ARRIVAL_SPEEDS',
      speedsByHour,
      '0:20,7:15,10:17,16:14,20:18',
      'Speed of drivers in km/h by local hour, for arrival estimates until deliveries have taught better: `7:15` is 15 km/h from seven on.',
    ),
    stopMinutes: setting(
      'ARRIVAL_STOP_MINUTES',
      decimal(0.5, 60),
      '4',
      'Minutes at a stop, for arrival estimates until deliveries have taught better.',
    ),
  },
  inbox: {
    sharedMs: setting(
      'INBOX_SHARED_MS',
      integer(0, 10_000),
      '1000',
      'Milliseconds for which the consoles at one process share a reading of the inbox. A change by staff ends it.',
    ),
    nearlyLateMinutes: setting(
      'INBOX_NEARLY_LATE_MINUTES',
      integer(0, 1_440),
      '30',
      'Minutes before the end of its slot at which a parcel that is not near its recipient enters the console’s inbox. 0: never.',
    ),
    driverSilentMinutes: setting(
      'INBOX_DRIVER_SILENT_MINUTES',
      integer(11, 1_440),
      '20',
      'Minutes without a noted request of their phone after which a driver with parcels enters the console’s inbox. Requests are noted every ten minutes.',
    ),
    webhookFailingHours: setting(
      'INBOX_WEBHOOK_FAILING_HOURS',
      integer(1, 72),
      '6',
      'Hours for which a webhook fails before it enters the console’s inbox. After three days it is paused.',
    ),
  },
  operatorPhone: setting(
    'OPERATOR_PHONE',
    text,
    '',
    'The number that drivers call for help, shown in their app. Empty: none is shown.',
  ),
  driverPay: {
    baseCents: setting(
      'DRIVER_PAY_BASE_CENTS',
      integer(0, 100_000),
      '0',
      'Pay of a driver per delivered run, in cents. With this and the next two at 0, as for employees, drivers see nothing about pay.',
    ),
    perKmCents: setting(
      'DRIVER_PAY_PER_KM_CENTS',
      integer(0, 100_000),
      '0',
      'Pay per km between pickup and recipient in a straight line, in cents.',
    ),
    perKgCents: setting(
      'DRIVER_PAY_PER_KG_CENTS',
      integer(0, 100_000),
      '0',
      'Pay per kg above DRIVER_PAY_FREE_KG, in cents.',
    ),
    freeKg: setting('DRIVER_PAY_FREE_KG', integer(0, 1_000), '0', 'Weight in kg that is covered by the base.'),
  },
  invoices: {
    firstMonth: setting(
      'INVOICE_FIRST_MONTH',
      optionalMonth,
      '',
      'First month, such as `2026-11`, for which merchants get invoices. Earlier entries of the ledger stay without one. Empty: no invoices are issued.',
    ),
    vatBasisPoints: setting(
      'INVOICE_VAT_PERCENT',
      basisPoints,
      '20',
      'VAT rate of deliveries, in percent. Prices and balances include it. 0: VAT does not apply (CGI, art. 293 B).',
    ),
    paymentDays: setting(
      'INVOICE_PAYMENT_DAYS',
      integer(0, 60),
      '30',
      'Days that a merchant with deferred payment has to pay an invoice.',
    ),
  },
  seller: {
    name: setting(
      'SELLER_NAME',
      text,
      '',
      'Company that invoices merchants. Invoices need it, its address, SIREN and VAT number.',
    ),
    legalForm: setting(
      'SELLER_LEGAL_FORM',
      text,
      '',
      'Legal form, capital and register of that company: `SAS au capital de 10 000 €, RCS Paris`.',
    ),
    street: setting('SELLER_STREET', text, '', 'Street of its address.'),
    postalCode: setting('SELLER_POSTAL_CODE', text, '', 'Postal code of its address.'),
    city: setting('SELLER_CITY', text, '', 'Town of its address.'),
    country: setting('SELLER_COUNTRY', country, 'FR', 'Country of its address, as a code of two letters.'),
    siren: setting('SELLER_SIREN', optionalSiren, '', 'SIREN of the company.'),
    vatId: setting(
      'SELLER_VAT_ID',
      optionalVatId,
      '',
      'VAT number of the company. Not needed with `INVOICE_VAT_PERCENT=0`.',
    ),
    iban: setting(
      'SELLER_IBAN',
      optionalIban,
      '',
      'Account to which merchants transfer money. The dashboard shows it with each merchant’s reference, and invoices that are due name it. Empty: none is shown.',
    ),
    bic: setting('SELLER_BIC', optionalBic, '', 'BIC of the bank of that account.'),
    contact: setting(
      'SELLER_CONTACT',
      text,
      '',
      'E-mail address, phone number or URL at which merchants reach you. The dashboard shows it where only you can help. Empty: none is shown.',
    ),
  },
  einvoice: {
    url: setting(
      'EINVOICE_URL',
      optionalUrl(['http:', 'https:']),
      '',
      'Certified platform, or a gateway in front of it, that issued invoices are handed to ([how](docs/operators/invoices.md)). Empty: none.',
    ),
    token: setting('EINVOICE_TOKEN', text, '', 'Sent to that platform as a bearer token.'),
  },
  stripe: {
    secretKey: setting(
      'STRIPE_SECRET_KEY',
      optionalStripeKey,
      '',
      'Secret key of your Stripe account, with which merchants pay by card or SEPA debit ([how](docs/operators/payments.md)). Empty: the dashboard does not offer it.',
    ),
    webhookSecrets: setting(
      'STRIPE_WEBHOOK_SECRETS',
      optionalTokens('whsec_'),
      '',
      'Signing secrets of the Stripe endpoint `/stripe/events`, separated by commas: two while you replace one.',
    ),
    apiUrl: setting(
      'STRIPE_API_URL',
      url(['http:', 'https:']),
      'https://api.stripe.com',
      'Stripe’s API; another one for tests.',
    ),
  },
  topUp: {
    lowest: setting(
      'TOP_UP_LOWEST',
      integer(1, 100_000),
      '10',
      'EUR that a merchant pays online at least: small payments cost more in fees.',
    ),
    highest: setting(
      'TOP_UP_HIGHEST',
      integer(1, 100_000),
      '5000',
      'EUR that a merchant pays online at most, at a time.',
    ),
  },
  driverRequestsPerMinute: setting(
    'DRIVER_REQUESTS_PER_MINUTE',
    integer(1, 1_000_000),
    '600',
    'Commands that a driver’s app may send per minute, over HTTP and socket together. Positions have a separate limit of 120.',
  ),
  push: {
    privateKey: setting(
      'VAPID_PRIVATE_KEY',
      optionalVapidKey,
      '',
      'Signs push messages to drivers’ phones (web push). `navette driver push-key` makes one. Empty: none are sent. A new key ends all subscriptions; apps subscribe again when they are opened.',
    ),
    subject: setting(
      'VAPID_SUBJECT',
      url(['mailto:', 'https:']),
      'mailto:bonjour@navette.example',
      'Contact of the operator for push services, as `mailto:` or `https:` URL.',
    ),
  },
  linkSecrets: secretSetting(
    'LINK_SECRETS',
    'Sign tracking links and pickup QR codes. Separated by commas: the first signs, all of them verify.',
  ),
  trackingLinkDays: setting(
    'TRACKING_LINK_DAYS',
    integer(0, 3_650),
    '14',
    'Days after delivery or cancellation during which the recipient’s tracking page can be opened.',
  ),
  smsUrl: setting(
    'SMS_URL',
    optionalUrl(['twilio+https:', 'twilio+http:', 'smpp:', 'ssmpp:']),
    '',
    'SMS provider: `twilio+https://SID:TOKEN@api.twilio.com`, or `smpp://user:password@host:2775` (`ssmpp:` with TLS). Empty: SMS are not sent; `navette messages` lists them.',
  ),
  smsSender: setting(
    'SMS_SENDER',
    text,
    'Navette',
    'Sender of SMS: a number, a name of up to 11 letters, or a Twilio messaging service.',
  ),
  smsCountries: setting(
    'SMS_COUNTRIES',
    countries,
    'FR,GP,MQ,GF,RE,YT,PM,BL,MF,NC,PF,WF,BE,CH,LU,MC',
    'ISO codes, separated by commas, of the countries that SMS are sent to. Default: France with its overseas territories, Belgium, Switzerland, Luxembourg, Monaco. Empty: none.',
  ),
  smsPerAccountPerDay: setting(
    'SMS_PER_ACCOUNT_PER_DAY',
    integer(0, 10_000_000),
    '1000',
    'SMS per account and local day, unless the account has its own `smsPerDay`.',
  ),
  mailUrl: setting(
    'MAIL_URL',
    optionalUrl(['smtp:', 'smtps:']),
    '',
    'Mail relay: `smtp://user:password@host:587` or `smtps://…`. Empty: e-mails are not sent; `navette messages` lists them.',
  ),
  mailTls: setting(
    'MAIL_TLS',
    oneOf('auto', 'required', 'optional'),
    'auto',
    'TLS to the mail relay. `auto`: required with a verifiable certificate, unless the relay is on this machine. `required`: on this machine too. `optional`: unencrypted when the relay offers no TLS.',
  ),
  mailFrom: setting('MAIL_FROM', mailbox, 'Navette <bonjour@navette.example>', 'Sender of e-mails.'),
  messageRetentionDays: setting(
    'MESSAGE_RETENTION_DAYS',
    integer(1, 3_650),
    '30',
    'Days after which the number, address and text of a message are erased.',
  ),
  deliveryCodeRetentionDays: setting(
    'DELIVERY_CODE_RETENTION_DAYS',
    integer(0, 3_650),
    '30',
    'Days after delivery or cancellation after which the delivery code is erased.',
  ),
  shipmentRetentionDays: setting(
    'SHIPMENT_RETENTION_DAYS',
    integer(LOGS_KEPT_DAYS, 3_650),
    '396',
    'Days after delivery or cancellation after which all personal data of a shipment is erased (docs/privacy.md). An account may set fewer days, not more.',
  ),
  archiveAfterDays: setting(
    'ARCHIVE_AFTER_DAYS',
    optionalInteger(400, 36_500),
    '',
    'Days without a change after which shipments whose personal data was erased move to files in `PROOF_STORE` (docs/decisions/archive.md). Empty: never. Set it when every process runs a release that knows the setting; an earlier release does not find archived shipments.',
  ),
  webhookSecretKeys: secretSetting(
    'WEBHOOK_SECRET_KEYS',
    'Encrypt the webhook secrets in the database. Separated by commas: the first encrypts, all of them decrypt; `navette secrets re-encrypt` encrypts every secret again with the first.',
  ),
  secondFactorKeys: secretSetting(
    'SECOND_FACTOR_KEYS',
    'Encrypt the secrets of members’ second factors. Separated by commas: the first encrypts, all of them decrypt; a secret is encrypted again with the first when its member signs in, or by `navette secrets re-encrypt`.',
  ),
  webhookAllowedNetworks: setting(
    'WEBHOOK_ALLOWED_NETWORKS',
    networks,
    '',
    'Private networks or addresses, separated by commas, to which webhooks and push messages may be sent: `127.0.0.0/8` in development. All other private addresses are refused.',
  ),
  webhookHost: {
    inFlight: setting(
      'WEBHOOK_HOST_IN_FLIGHT',
      integer(2, 100_000),
      '40',
      'Concurrent webhook requests of a worker per account and host; one webhook uses at most half of them. The limit per account is twice as high, the limit per host ten times.',
    ),
    perSecond: setting(
      'WEBHOOK_HOST_PER_SECOND',
      integer(1, 1_000_000),
      '100',
      'Webhook requests per second of a worker per account and host. The limit per account is twice as high, the limit per host ten times.',
    ),
  },
  console: {
    creditLimit: setting(
      'CONSOLE_CREDIT_LIMIT',
      integer(0, 100_000),
      '100',
      'EUR that one person may credit to accounts in the console on one day. A credit above it needs a second person.',
    ),
    transferLimit: setting(
      'CONSOLE_TRANSFER_LIMIT',
      integer(0, 10_000_000),
      '5000',
      'EUR of bank transfers that one person may record in the console on one day. A transfer above it waits for a second person.',
    ),
    confirmationsPerDay: setting(
      'CONSOLE_CONFIRMATIONS_PER_DAY',
      integer(0, 10_000),
      '5',
      'Deliveries that one person may confirm in the console without a code on one day. Each further one needs a second person.',
    ),
  },
  map: {
    styleUrl: setting(
      'MAP_STYLE_URL',
      optionalUrl(['http:', 'https:']),
      '',
      'Address of a MapLibre style for the console’s map. Its tiles, fonts and images must have the same origin, which the content policy of that page then allows. Takes precedence over `MAP_TILES_FILE`.',
    ),
    tilesFile: setting(
      'MAP_TILES_FILE',
      text,
      '',
      'Path of a `.pmtiles` file with the background of the console’s map, which the api serves to staff. Of vector tiles, the recipient’s page draws the streets. Empty, and no `MAP_STYLE_URL`: towns on a plain background.',
    ),
  },
  oidc: {
    issuer: setting(
      'OIDC_ISSUER',
      optionalUrl(['http:', 'https:']),
      '',
      'Identity provider with which staff sign in to the console, by OpenID Connect. Empty: no single sign-on. Plain http only on loopback.',
    ),
    clientId: setting('OIDC_CLIENT_ID', text, '', 'Client id of this service at the identity provider.'),
    clientSecret: setting('OIDC_CLIENT_SECRET', text, '', 'Client secret of this service at the identity provider.'),
    roleClaim: setting(
      'OIDC_ROLE_CLAIM',
      text,
      'role',
      'Claim of the ID token with the role: `dispatcher`, `support`, `accountant` or `admin`, or a list that contains one.',
    ),
    name: setting('OIDC_NAME', text, 'SSO', 'Name of the identity provider on the sign-in page.'),
  },
  staffPasswordSignIn: setting(
    'STAFF_PASSWORD_SIGN_IN',
    oneOf('on', 'off'),
    'on',
    '`off`: staff sign in with the identity provider only.',
  ),
  operator: {
    port: setting(
      'OPERATOR_PORT',
      optionalPort,
      '',
      'Port of `/metrics` and the detailed `/readyz`, in both roles. Empty: not served. Keep it private: it requires no authentication.',
    ),
    host: setting(
      'OPERATOR_HOST',
      text,
      '127.0.0.1',
      'Address to listen on with OPERATOR_PORT; in a container, the address of the operator’s network.',
    ),
  },
  tracing: {
    otlpUrl: setting(
      'OTLP_URL',
      optionalUrl(['http:', 'https:']),
      '',
      'OpenTelemetry collector that receives spans of sampled requests, as OTLP over HTTP: `http://collector:4318`. Empty: no spans are recorded.',
    ),
    samplePercent: setting(
      'TRACE_SAMPLE_PERCENT',
      percent,
      '1',
      'Share of requests whose spans are recorded, in percent. In addition, up to ten requests per second and process whose caller asks for it with a sampled `traceparent`.',
    ),
  },
  drainSeconds: setting(
    'DRAIN_SECONDS',
    integer(0, 300),
    '0',
    'Seconds for which `/readyz` reports "stopping" before the listener closes, so that a load balancer can stop sending requests.',
  ),
  logLevel: setting(
    'LOG_LEVEL',
    oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    'info',
    'Lowest level of log lines that are written.',
  ),
  trustedProxies: setting(
    'TRUSTED_PROXIES',
    addressList,
    '',
    'Addresses or networks, separated by commas, of the proxies whose X-Forwarded-For header is trusted.',
  ),
};
