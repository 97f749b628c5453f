<?php
/**
 * Client of the Navette API in one file, for PHP 8.1 and newer. It needs no package and no extension beyond json and hash.
 * It follows the rules of @navette/sdk, and the same tests run against both.
 *
 *     require 'Navette.php';
 *     $navette = new Navette\Client('https://api.example.org', $apiKey, $clientId);
 *     $created = $navette->createShipment($request, $navette->idempotencyKeyFor('2041'));
 */

declare(strict_types=1);

namespace Navette;

/** Every failure of this file. `slug` discriminates: upper case is the contract's, lower case is local. */
final class NavetteException extends \RuntimeException
{
    /** Of a creation: send it again with this key, and the shipment is created at most once. */
    public ?string $idempotencyKey = null;
    public int $attempts = 1;

    /** @param array<string, mixed> $fields the response's JSON */
    public function __construct(
        public readonly string $slug,
        string $message,
        public readonly ?int $status = null,
        public readonly array $fields = [],
        public readonly ?string $requestId = null,
        public readonly bool $isRetryable = false,
        ?\Throwable $previous = null,
    ) {
        parent::__construct($message, 0, $previous);
    }

    /** How to resolve it, in English. */
    public function remedy(): string
    {
        return self::REMEDIES[$this->slug] ?? '';
    }

    /** @return list<array{type: string, msg: string, path: string, location: string}> */
    public function fieldErrors(): array
    {
        return $this->slug === 'field_errors' ? $this->fields['errors'] : [];
    }

    /** Of `rate_limited`: minute, hour or day. The client waits for `minute`; queue the others for later. */
    public function window(): ?string
    {
        return $this->fields['window'] ?? null;
    }

    /** The request may have had its effect, or not. */
    public function isOutcomeUnknown(): bool
    {
        if ($this->status === null) {
            return $this->slug === 'network' || $this->slug === 'timeout';
        }
        return $this->status >= 500 || $this->status === 408 || ($this->slug === 'unreadable' && $this->status < 300);
    }

    private const REMEDIES = [
        'field_errors' => 'Correct the fields in `fieldErrors()`.',
        'refused' => 'Correct the request; if it is correct, retry with the same idempotency key.',
        'not_found' => 'Check the id and the account.',
        'rate_limited' => 'Queue the call for later.',
        'network' => 'Retry with the same idempotency key or batch id.',
        'timeout' => 'Retry with the same idempotency key or batch id.',
        'unreadable' => 'Check the base URL and the proxies in between.',
        // Generated from contract/ by `npm run generate`: <!-- remedies -->
        'MISSING_API_KEY' => 'Send `Authorization: Bearer <key>`.',
        'MISSING_CLIENT_ID' => 'Send `X-Client-Id` with the account’s client id.',
        'INVALID_API_KEY' => 'Use another key, or create one.',
        'EXPIRED_API_KEY' => 'Create a new key.',
        'PROFESSIONAL_NOT_FOUND' => 'Contact the operator.',
        'INVALID_CLIENT_ID' => 'Send the key and the client id of the same account.',
        'INSUFFICIENT_PERMISSIONS' => 'Use a key with that scope: GET read, POST and PUT write, DELETE delete.',
        'INTERNAL_ERROR' => 'Retry; if the error persists, report the `X-Request-Id` of the response.',
        'CLIENT_TYPE_REQUIRED' => 'Contact the operator; do not retry.',
        'CONTRACT_SIGNATURE_REQUIRED' => 'Sign the contract with the operator; do not retry.',
        'PICKUP_ADDRESS_REQUIRED' => 'Call PUT /shipping/pickup-address, then retry.',
        'PICKUP_ADDRESS_NOT_GEOCODABLE' => 'Send it again with coordinates.',
        'INSUFFICIENT_BALANCE' => 'Top up the account, then retry with the same idempotency key.',
        'ACCOUNT_SUSPENDED' => 'Pay the amount due to the operator.',
        'PAYMENT_REQUIRED' => 'Pay the amount due to the operator.',
        'IDEMPOTENCY_KEY_CONFLICT' => 'Retry with a new key.',
        'VALIDATION_ERROR' => 'Read `details`, in logs only.',
        // <!-- /remedies -->
    ];
}

/** The merchant API. */
final class Client
{
    private const BASE_PATH = '/pro/api/v1';
    private const MOST_BACKOFF_SECONDS = 8.0;
    /** Most 400s with a message only are refusals, which a retry does not change. */
    private const MOST_RETRIES_OF_400 = 2;
    private const MOST_WINDOW_SECONDS = 61;
    private const BATCH_CHUNK = 100;
    private const MOST_LOST_BATCHES = 5;

    private float $timeout;
    private float $deadline;
    private int $retries;
    private float $backoff;
    /** @var (callable(array<string, mixed>): void)|null */
    private $onAttempt;
    private float $clockSkew = 0.0;

    /**
     * @param array{timeout?: float, deadline?: float, retries?: int, backoff?: float, onAttempt?: callable} $options
     *   seconds for one attempt (20) and for a call with all its attempts and waits (120); retries (5); base of the
     *   exponential backoff in seconds (0.5); a function that receives every attempt, for logs
     */
    public function __construct(
        private readonly string $url,
        private readonly string $apiKey,
        private readonly string $clientId,
        array $options = [],
    ) {
        if ($url === '' || $apiKey === '' || $clientId === '') {
            throw new \InvalidArgumentException('Navette: url, API key and client id are needed');
        }
        $this->timeout = (float) ($options['timeout'] ?? 20.0);
        $this->deadline = (float) ($options['deadline'] ?? 120.0);
        $this->retries = (int) ($options['retries'] ?? 5);
        $this->backoff = (float) ($options['backoff'] ?? 0.5);
        $this->onAttempt = $options['onAttempt'] ?? null;
    }

    /**
     * Creates one shipment. Without a key a random one protects the retries of this call, but not a second call.
     *
     * @return array{shipment: array<string, mixed>, replayed: bool, idempotencyKey: string}
     */
    public function createShipment(array $request, ?string $idempotencyKey = null): array
    {
        $key = $idempotencyKey ?? self::uuid();
        if (!preg_match('/^[!-~]([ -~]*[!-~])?$/D', $key)) { // the service would ignore a blank key
            throw new \InvalidArgumentException('Navette: the idempotency key is blank or not ASCII');
        }
        try {
            $answer = $this->json('POST', '/shipping', $request, headers: ["X-Idempotency-Key: $key"], mayFailAs400: true);
        } catch (NavetteException $error) {
            $error->idempotencyKey = $key;
            throw $error;
        }
        return ['shipment' => $answer['shipping'], 'replayed' => isset($answer['idempotent']), 'idempotencyKey' => $key];
    }

    /** The same key for the same order in any process; `$parcel` is 2 for a second parcel, or after a cancellation. */
    public function idempotencyKeyFor(string|int $orderId, string $shopDomain = '', int $parcel = 1): string
    {
        $hash = hash('sha256', implode("\0", [$this->clientId, $shopDomain, $orderId, $parcel]));
        return $this->clientId . '.' . substr($hash, 0, 40);
    }

    /**
     * Creates many in few requests. A batch has no idempotency key, so entries are marked in their metadata and existing
     * shipments are looked up by group before anything is sent, and again after a lost response. Safe to repeat with the
     * same `$batchId` (1 to 64 characters; the groupReference of entries that have none) and the same entries.
     *
     * @return array{created: list<array{index: int, shipment: array, replayed: bool}>,
     *               failed: list<array{index: int, slug: ?string, message: string}>}
     */
    public function createMany(array $requests, string $batchId, float $settleSeconds = 15.0): array
    {
        if ($batchId === '' || strlen($batchId) > 64) {
            throw new \InvalidArgumentException('createMany: the batch id needs 1 to 64 characters');
        }
        $result = ['created' => [], 'failed' => []];
        $missing = $this->takeExisting(self::markEntries(array_values($requests), $batchId), $result);
        $losses = 0;
        while ($missing !== []) {
            $chunk = array_slice($missing, 0, self::BATCH_CHUNK);
            $rest = array_slice($missing, self::BATCH_CHUNK);
            try {
                $answer = $this->json('POST', '/shipping/batch', ['shippings' => array_column($chunk, 'request')], isIdempotent: false);
                foreach ($answer['shippings'] as ['index' => $i, 'shipping' => $shipment]) {
                    $result['created'][] = ['index' => $chunk[$i]['index'], 'shipment' => $shipment, 'replayed' => false];
                }
                foreach ($answer['errors'] as ['index' => $i, 'error' => $message, 'code' => $slug]) {
                    $result['failed'][] = ['index' => $chunk[$i]['index'], 'slug' => $slug, 'message' => $message];
                }
                $missing = $rest;
            } catch (NavetteException $lost) {
                if (!$lost->isOutcomeUnknown() || ++$losses > self::MOST_LOST_BATCHES) {
                    throw $lost;
                }
                $startedAt = microtime(true);
                do {
                    $left = $this->takeExisting($chunk, $result);
                    $isSettled = count($left) < count($chunk) || microtime(true) - $startedAt >= $settleSeconds;
                    if (!$isSettled) {
                        self::sleep(min(1.0, $settleSeconds));
                    }
                } while (!$isSettled);
                $missing = [...$left, ...$rest];
            }
        }
        foreach ($result as &$list) {
            usort($list, fn (array $a, array $b) => $a['index'] <=> $b['index']);
        }
        return $result;
    }

    public function getShipment(string $id): array
    {
        return $this->json('GET', '/shipping/' . rawurlencode($id))['shipping'];
    }

    public function getShipmentByReference(string $referenceNumber): array
    {
        return $this->json('GET', '/shipping/reference/' . rawurlencode($referenceNumber))['shipping'];
    }

    public function track(string $referenceNumber): array
    {
        return $this->json('GET', '/shipping/tracking/' . rawurlencode($referenceNumber))['tracking'];
    }

    /** Newest first. Filters: status, from, to, groupReference, limit, and the cursor of an earlier list. */
    public function listShipments(array $filters = []): ShipmentList
    {
        $cursor = $filters['cursor'] ?? null;
        $readPage = fn (?string $cursor) => $this->json('GET', '/shipping', query: ['cursor' => $cursor] + $filters);
        return new ShipmentList($readPage, $cursor);
    }

    /** All shipments of the account, one at a time from one streamed response. */
    public function exportShipments(): \Generator
    {
        [$stream, $deadline] = $this->send('GET', '/shipping/labels', accept: 'stream');
        [$depth, $isText, $isEscaped, $document, $isComplete] = [0, false, false, '', false];
        try {
            while (($part = self::readPart($stream, $deadline)) !== '') {
                $start = $depth >= 3 ? 0 : -1;
                for ($i = 0, $length = strlen($part); $i < $length; $i++) {
                    $char = $part[$i];
                    if ($isText) {
                        if ($isEscaped) {
                            $isEscaped = false;
                        } elseif ($char === '\\') {
                            $isEscaped = true;
                        } elseif ($char === '"') {
                            $isText = false;
                        }
                    } elseif ($char === '"') {
                        $isText = true;
                    } elseif ($char === '{' || $char === '[') {
                        if (++$depth === 3) {
                            $start = $i;
                        }
                    } elseif ($char === '}' || $char === ']') {
                        if ($depth-- === 3) {
                            yield json_decode($document . substr($part, $start, $i + 1 - $start), true, flags: JSON_THROW_ON_ERROR);
                            $document = '';
                            $start = -1;
                        }
                        $isComplete = $depth === 0;
                    }
                }
                if ($start >= 0) {
                    $document .= substr($part, $start);
                }
                $deadline = microtime(true) + $this->timeout; // the caller may take its time
            }
        } finally {
            fclose($stream);
        }
        if (!$isComplete) {
            throw new NavetteException('network', 'the export broke off before its end', isRetryable: true);
        }
    }

    public function cancelShipment(string $id, ?string $reason = null): array
    {
        $body = $reason === null ? new \stdClass() : ['reason' => $reason];
        return $this->json('PUT', '/shipping/' . rawurlencode($id) . '/cancel', $body)['shipping'];
    }

    public function stats(): array
    {
        return $this->json('GET', '/shipping/stats')['stats'];
    }

    /** The label as PDF. The link is called without the key. */
    public function labelPdf(string $shipmentId): string
    {
        return $this->send('GET', $this->downloadLink($shipmentId)['downloadUrl'], accept: 'pdf');
    }

    /** Anyone with the link can see the recipient's address. */
    public function downloadLink(string $shipmentId): array
    {
        return $this->json('POST', '/shipping/' . rawurlencode($shipmentId) . '/download-link');
    }

    public function viewLink(string $shipmentId): array
    {
        return $this->json('POST', '/shipping/' . rawurlencode($shipmentId) . '/view-link');
    }

    /** Up to 1,000 labels as one PDF. @param list<string> $shipmentIds */
    public function exportLabels(array $shipmentIds): string
    {
        return $this->send('POST', '/shipping/pdf/export', ['scope' => 'selected', 'shippingIds' => $shipmentIds], accept: 'pdf');
    }

    /** Filters: status, from, to, groupReference. */
    public function exportLabelsBy(array $filters): string
    {
        return $this->send('POST', '/shipping/pdf/export', ['scope' => 'filtered', 'filters' => (object) $filters], accept: 'pdf');
    }

    public function quote(array $request): array
    {
        return $this->json('POST', '/rates', $request, mayFailAs400: true)['rate'];
    }

    public function account(): array
    {
        return $this->json('GET', '/account')['account'];
    }

    public function setPickupAddress(array $address): array
    {
        return $this->json('PUT', '/shipping/pickup-address', $address)['pickupAddress'];
    }

    public function testCredentials(): array
    {
        return $this->json('GET', '/shipping/auth/test');
    }

    public function listWebhooks(): array
    {
        return $this->json('GET', '/webhooks')['webhooks'];
    }

    /** Not retried after a lost response, because an account has one webhook per URL. */
    public function createWebhook(array $webhook): array
    {
        return $this->json('POST', '/webhooks', $webhook, isIdempotent: false)['webhook'];
    }

    public function updateWebhook(string $id, array $changes): array
    {
        return $this->json('PUT', '/webhooks/' . rawurlencode($id), $changes)['webhook'];
    }

    public function deleteWebhook(string $id): void
    {
        $this->json('DELETE', '/webhooks/' . rawurlencode($id), isIdempotent: false);
    }

    /**
     * Finds changes whose event never arrived, and gives them to the receiver's handlers. Run it from cron every few
     * minutes, with `next` of the previous run as `$since`.
     *
     * @return array{changed: int, handled: int, failed: int, next: string}
     */
    public function reconcile(string $since, WebhookReceiver $webhooks, int $lookbackDays = 30): array
    {
        $from = new \DateTimeImmutable($since);
        $startedAt = microtime(true);
        $result = ['changed' => 0, 'handled' => 0, 'failed' => 0];
        $filters = ['from' => $from->modify("-$lookbackDays days")->format('Y-m-d\TH:i:s.vp'), 'limit' => 100];
        foreach ($this->listShipments($filters) as $shipment) {
            $events = self::eventsSince($shipment, $from);
            $result['changed'] += $events === [] ? 0 : 1;
            foreach ($events as $event) {
                try {
                    $result['handled'] += $webhooks->dispatch($event, 'reconcile') === 'handled' ? 1 : 0;
                } catch (\Throwable $error) {
                    $result['failed']++;
                    $webhooks->report($error, $event);
                }
            }
        }
        $start = \DateTimeImmutable::createFromFormat('U.u', sprintf('%.6F', $startedAt + $this->clockSkew - 60));
        $next = $result['failed'] > 0 ? $from : max($start, $from);
        return $result + ['next' => $next->setTimezone(new \DateTimeZone('UTC'))->format('Y-m-d\TH:i:s.vp')];
    }

    /** The events of a shipment's history, oldest first. `in_transit` and a return to `created` have none. */
    private static function eventsSince(array $shipment, \DateTimeImmutable $since): array
    {
        $events = [];
        foreach ($shipment['statusHistory'] as $nth => ['status' => $status, 'at' => $at]) {
            $isSilent = $status === 'in_transit' || ($nth > 0 && ($status === 'created' || $status === 'programmed'));
            if ($isSilent || new \DateTimeImmutable($at) < $since) {
                continue;
            }
            $name = $nth === 0 ? 'shipping.created' : "shipping.$status";
            $driver = $nth === 0 ? null : $shipment['deliverer'];
            $place = fn (array $a) => array_intersect_key($a, array_flip(['street', 'city', 'postalCode', 'country']));
            $to = $shipment['deliveryAddress'];
            unset($events[$name]); // assigned again: the last one is current
            $events[$name] = ['event' => $name, 'timestamp' => $at, 'data' => [
                'id' => $shipment['_id'],
                'professionalId' => $shipment['professional'],
                'referenceNumber' => $shipment['referenceNumber'],
                'status' => $status,
                'price' => $shipment['price'],
                'externalReference' => $shipment['externalReference'],
                'createdAt' => $shipment['createdAt'],
                'updatedAt' => $at,
                'pickupAddress' => $place($shipment['pickupAddress']),
                'deliveryAddress' => ['recipientName' => $to['recipientName']] + $place($to) + ['phoneNumber' => $to['phoneNumber']],
                'deliverer' => $driver === null ? null : ['id' => $driver['_id'] ?? $driver, 'name' => null, 'phoneNumber' => null],
            ]];
        }
        return array_values($events);
    }

    /** An entry is the nth one of its order, or the nth one without an order: the same in every repetition. */
    private static function markEntries(array $requests, string $batchId): array
    {
        $counts = [];
        $entries = [];
        foreach ($requests as $index => $request) {
            $order = [$request['externalReference']['shopDomain'] ?? '', $request['externalReference']['orderId'] ?? ''];
            $nth = $counts[implode("\0", $order)] = ($counts[implode("\0", $order)] ?? 0) + 1;
            $key = json_encode([$batchId, ...$order, $nth], JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE);
            $request['metadata'] = ['batchEntry' => $key] + ($request['metadata'] ?? []);
            $request['groupReference'] ??= $batchId;
            $entries[] = ['index' => $index, 'key' => $key, 'request' => $request];
        }
        return $entries;
    }

    /** Adds the entries whose shipment exists to the result, and returns the others. */
    private function takeExisting(array $entries, array &$result): array
    {
        $found = [];
        foreach (array_unique(array_map(fn (array $entry) => $entry['request']['groupReference'], $entries)) as $group) {
            foreach ($this->listShipments(['groupReference' => $group, 'limit' => 100]) as $document) {
                $found[$document['metadata']['batchEntry'] ?? ''] = $document;
            }
        }
        $missing = [];
        foreach ($entries as $entry) {
            if (isset($found[$entry['key']])) {
                $result['created'][] = ['index' => $entry['index'], 'shipment' => $found[$entry['key']], 'replayed' => true];
            } else {
                $missing[] = $entry;
            }
        }
        return $missing;
    }

    private function json(
        string $method,
        string $path,
        array|\stdClass|null $body = null,
        array $query = [],
        array $headers = [],
        bool $isIdempotent = true,
        bool $mayFailAs400 = false,
    ): array {
        return $this->send($method, $path, $body, $query, $headers, $isIdempotent, $mayFailAs400);
    }

    /** Sends with retries. Returns the JSON, the bytes of a PDF, or an open stream and the time at which it is late. */
    private function send(
        string $method,
        string $path,
        array|\stdClass|null $body = null,
        array $query = [],
        array $headers = [],
        bool $isIdempotent = true,
        bool $mayFailAs400 = false,
        string $accept = 'json',
    ): array|string {
        $startedAt = microtime(true);
        for ($attempt = 1, $failed = 0; ; $attempt++) {
            $attemptedAt = microtime(true);
            $left = $this->deadline - ($attemptedAt - $startedAt);
            $responseHeaders = [];
            $error = null;
            $result = null;
            try {
                $result = $this->attempt($method, $path, $body, $query, $headers, $accept, min($this->timeout, $left), $responseHeaders);
            } catch (NavetteException $caught) {
                $error = $caught;
                $error->attempts = $attempt;
                $failed += $error->window() === 'minute' ? 0 : 1;
            }
            $delay = $error === null ? null : $this->delayBeforeRetry($error, $isIdempotent, $mayFailAs400, max($failed, 1), $responseHeaders);
            $retryIn = $delay !== null && $delay < $this->deadline - (microtime(true) - $startedAt) ? $delay : null;
            if ($this->onAttempt) {
                ($this->onAttempt)([
                    'method' => $method,
                    'attempt' => $attempt,
                    'status' => $error ? $error->status : 200,
                    'slug' => $error?->slug,
                    'requestId' => $error ? $error->requestId : ($responseHeaders['x-request-id'] ?? null),
                    'duration' => microtime(true) - $attemptedAt,
                    'retryIn' => $retryIn,
                ]);
            }
            if ($error === null) {
                return $result;
            }
            if ($retryIn === null) {
                throw $error;
            }
            self::sleep($retryIn);
        }
    }

    /** Seconds until the next attempt, or null when the failure is final. */
    private function delayBeforeRetry(NavetteException $error, bool $isIdempotent, bool $mayFailAs400, int $failed, array $headers): ?float
    {
        $random = random_int(0, 1_000_000) / 1_000_000;
        $backoff = min($this->backoff * 2 ** ($failed - 1), self::MOST_BACKOFF_SECONDS) * (0.5 + $random / 2);
        if ($error->status === 429) {
            if ($error->window() === 'minute') {
                $serverNow = strtotime($headers['date'] ?? '') ?: time(); // the clock here may be wrong
                $untilReset = min((int) ($headers['x-ratelimit-reset'] ?? 0) - $serverNow, self::MOST_WINDOW_SECONDS);
                return max($untilReset, 0) + $random + $backoff;
            }
            return $error->window() === null && $failed <= $this->retries ? $backoff : null;
        }
        if ($mayFailAs400 && $error->status === 400 && ($error->slug === 'refused' || $error->slug === 'unreadable')) {
            return $failed <= min($this->retries, self::MOST_RETRIES_OF_400) ? $backoff : null;
        }
        return $error->isOutcomeUnknown() && $isIdempotent && $failed <= $this->retries ? $backoff : null;
    }

    private function attempt(
        string $method,
        string $path,
        array|\stdClass|null $body,
        array $query,
        array $headers,
        string $accept,
        float $limit,
        array &$responseHeaders,
    ): array|string {
        $requestId = self::uuid();
        $isForeign = str_starts_with($path, 'http');
        $address = ($isForeign ? '' : rtrim($this->url, '/') . self::BASE_PATH) . $path;
        $query = http_build_query(array_filter($query, fn ($value) => $value !== null));
        $own = $isForeign ? [] : [
            "Authorization: Bearer $this->apiKey",
            "X-Client-Id: $this->clientId",
            "X-Request-Id: $requestId",
            ...($body === null ? [] : ['Content-Type: application/json']),
            ...$headers,
        ];
        $limit = max($limit, 0.001);
        $deadline = microtime(true) + $limit;
        $context = stream_context_create(['http' => [
            'method' => $method,
            'header' => [...$own, 'Connection: close'],
            'content' => $body === null ? '' : json_encode($body, JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_PRESERVE_ZERO_FRACTION),
            'protocol_version' => 1.1,
            'ignore_errors' => true, // a 4xx is a response, not a warning
            'follow_location' => 0, // a redirect would carry the key to another address
            'timeout' => $limit,
        ]]);
        error_clear_last();
        $stream = @fopen($address . ($query === '' ? '' : "?$query"), 'rb', false, $context);
        if ($stream === false) {
            $isLate = microtime(true) >= $deadline;
            throw new NavetteException($isLate ? 'timeout' : 'network', error_get_last()['message'] ?? 'no response', requestId: $requestId, isRetryable: true);
        }
        [$status, $responseHeaders] = self::readHead(stream_get_meta_data($stream)['wrapper_data'] ?? []);
        $requestId = $responseHeaders['x-request-id'] ?? $requestId;
        if ($serverNow = strtotime($responseHeaders['date'] ?? '')) {
            $this->clockSkew = $serverNow - microtime(true);
        }
        $type = $responseHeaders['content-type'] ?? '';
        $isOk = $status >= 200 && $status < 300;
        if ($isOk && $accept === 'stream' && str_starts_with($type, 'application/json')) {
            return [$stream, $deadline];
        }
        try {
            for ($text = ''; ($part = self::readPart($stream, $deadline)) !== ''; $text .= $part);
        } finally {
            fclose($stream);
        }
        $length = $responseHeaders['content-length'] ?? null;
        if ($length !== null && strlen($text) < (int) $length) {
            throw new NavetteException('network', 'the response broke off before its end', requestId: $requestId, isRetryable: true);
        }
        $json = json_decode($text, true);
        $isBatch = $path === '/shipping/batch' && $status === 400 && isset($json['created']);
        if ($isBatch || ($isOk && $accept === 'json' && ($json['success'] ?? null) === true)) {
            return $json;
        }
        if ($isOk && $accept === 'pdf' && str_starts_with($type, 'application/pdf') && str_contains(substr($text, -1024), '%%EOF')) {
            return $text;
        }
        throw self::failure($status, is_array($json) ? $json : null, $text, $requestId);
    }

    private static function failure(int $status, ?array $json, string $text, string $requestId): NavetteException
    {
        $slug = match (true) {
            $status === 429 => 'rate_limited', // it never has a slug of its own
            $json === null || $status < 300 => 'unreadable',
            is_string($json['error'] ?? null) => $json['error'],
            is_array($json['errors'] ?? null) => 'field_errors',
            $status === 404 => 'not_found',
            $status === 400 => 'refused',
            default => 'http_error',
        };
        $message = $json['message'] ?? ($json === null ? "$status: " . substr($text, 0, 200) : $slug);
        $isRetryable = $status >= 500 || in_array($status, [408, 429], true) || $slug === 'refused' || $status < 300;
        return new NavetteException($slug, (string) $message, $status, $json ?? [], $requestId, $isRetryable);
    }

    /** The next part of a body, empty at its end. */
    private static function readPart($stream, float $deadline): string
    {
        $left = $deadline - microtime(true);
        if ($left > 0) {
            stream_set_timeout($stream, (int) $left, (int) (($left - (int) $left) * 1_000_000));
            $part = fread($stream, 65536);
            if (!stream_get_meta_data($stream)['timed_out']) {
                return $part === false ? '' : $part;
            }
        }
        throw new NavetteException('timeout', 'no complete response in time', isRetryable: true);
    }

    /** @return array{int, array<string, string>} status, and headers by their name in lower case */
    private static function readHead(array $lines): array
    {
        $status = (int) (explode(' ', $lines[0] ?? '')[1] ?? 0);
        $headers = [];
        foreach (array_slice($lines, 1) as $line) {
            [$name, $value] = explode(':', $line, 2) + [1 => ''];
            $headers[strtolower($name)] = trim($value);
        }
        return [$status, $headers];
    }

    private static function sleep(float $seconds): void
    {
        usleep((int) ($seconds * 1_000_000));
    }

    private static function uuid(): string
    {
        $bytes = random_bytes(16);
        $bytes[6] = chr(ord($bytes[6]) & 0x0f | 0x40);
        $bytes[8] = chr(ord($bytes[8]) & 0x3f | 0x80);
        return vsprintf('%s%s-%s-%s-%s-%s%s%s', str_split(bin2hex($bytes), 4));
    }
}

/** Shipments, newest first. Iterate over it; pages are read when they are needed. */
final class ShipmentList implements \IteratorAggregate
{
    private bool $isDone = false;

    /**
     * @param \Closure(?string): array $readPage
     * @param ?string $cursor where to go on after an interruption, with the same filters: the shipments of the current
     *   page come again, none is left out
     */
    public function __construct(private readonly \Closure $readPage, public ?string $cursor)
    {
    }

    public function getIterator(): \Generator
    {
        while (!$this->isDone) {
            $page = ($this->readPage)($this->cursor);
            foreach ($page['shippings'] as $shipment) {
                yield $shipment;
            }
            $this->cursor = $page['pagination']['nextCursor'];
            $this->isDone = $this->cursor === null;
        }
    }
}

/** Remembers which events were handled. Shops with several servers implement it with a table. */
interface EventStore
{
    /** Returns true for one caller per key, atomically. */
    public function claim(string $key): bool;

    /** The handler has finished. */
    public function done(string $key): void;

    /** The handler has failed: the next claim returns true again. */
    public function release(string $key): void;
}

/** One empty file per event, for shops on one server. Delete old files with cron; reconcile() looks back 30 days. */
final class FileStore implements EventStore
{
    public function __construct(private readonly string $directory)
    {
    }

    public function claim(string $key): bool
    {
        $file = @fopen($this->path($key), 'x'); // fails when the file exists
        if ($file === false && !file_exists($this->path($key))) {
            throw new \RuntimeException("Navette: cannot write to $this->directory");
        }
        return $file !== false && fclose($file);
    }

    public function done(string $key): void
    {
    }

    public function release(string $key): void
    {
        @unlink($this->path($key));
    }

    private function path(string $key): string
    {
        return $this->directory . '/' . preg_replace('/[^\w.-]/', '_', $key);
    }
}

/** Verifies webhook requests, answers them, and then calls handlers. */
final class WebhookReceiver
{
    private const ZERO_ID = '00000000-0000-0000-0000-000000000000';

    /**
     * @param string|list<string> $secrets several while a secret is being replaced
     * @param array<string, callable(array, string): void> $handlers by event; the second argument is `webhook` or `reconcile`
     * @param callable(\Throwable, ?array): void $onError receives failures of handlers, which the service cannot see
     */
    public function __construct(
        private readonly string|array $secrets,
        private readonly array $handlers,
        private readonly EventStore $store,
        private $onError,
        private readonly int $toleranceSeconds = 300,
    ) {
    }

    /** Handles the current request: answers at once, then works. */
    public function handle(): void
    {
        try {
            $timestamp = $_SERVER['HTTP_X_SERVICE_TIMESTAMP'] ?? '';
            $signature = $_SERVER['HTTP_X_SERVICE_SIGNATURE'] ?? '';
            $event = self::verify($timestamp, $signature, (string) file_get_contents('php://input'), $this->secrets, $this->toleranceSeconds);
        } catch (NavetteException $error) {
            http_response_code(401);
            $this->report($error, null);
            return;
        }
        ignore_user_abort(true);
        http_response_code(200);
        header('Content-Length: 0');
        header('Connection: close');
        if (function_exists('fastcgi_finish_request')) {
            fastcgi_finish_request();
        } else {
            flush();
        }
        try {
            if ($event['data']['id'] !== self::ZERO_ID) { // a test request of the dashboard
                $this->dispatch($event, 'webhook');
            }
        } catch (\Throwable $error) {
            $this->report($error, $event);
        }
    }

    /** Returns handled, duplicate or ignored. Throws what the handler throws. */
    public function dispatch(array $event, string $origin): string
    {
        $handler = $this->handlers[$event['event']] ?? null;
        if ($handler === null) {
            return 'ignored';
        }
        $key = $event['data']['id'] . ':' . $event['event'];
        if (!$this->store->claim($key)) {
            return 'duplicate';
        }
        try {
            $handler($event, $origin);
        } catch (\Throwable $error) {
            $this->store->release($key);
            throw $error;
        }
        $this->store->done($key);
        return 'handled';
    }

    public function report(\Throwable $error, ?array $event): void
    {
        ($this->onError)($error, $event);
    }

    /** Returns the event when one of the secrets has signed the request recently. */
    public static function verify(string $timestamp, string $signature, string $rawBody, string|array $secrets, int $toleranceSeconds = 300): array
    {
        if ($timestamp === '' || $signature === '') {
            throw new NavetteException('webhook_unsigned', 'The signature headers are missing.');
        }
        $isSigned = false;
        foreach ((array) $secrets as $secret) {
            if ($secret === '') {
                throw new \InvalidArgumentException('Navette: a webhook secret is empty');
            }
            $expected = 'sha256=' . hash_hmac('sha256', "$timestamp.$rawBody", $secret);
            $isSigned = hash_equals($expected, $signature) || $isSigned;
        }
        if (!$isSigned) {
            throw new NavetteException('webhook_signature', 'No secret has made this signature for this body.');
        }
        $signedAt = strtotime($timestamp);
        if ($signedAt === false || abs(time() - $signedAt) > $toleranceSeconds) {
            throw new NavetteException('webhook_expired', "The signature is of $timestamp, too far from the time here.");
        }
        $event = json_decode($rawBody, true);
        if (!is_array($event)) {
            throw new NavetteException('webhook_body', 'The body is not JSON.');
        }
        return $event;
    }

    /** The two headers of a signed request, for tests of a receiver. @return array{string, string} timestamp, signature */
    public static function sign(string $rawBody, string $secret, ?int $at = null): array
    {
        $timestamp = gmdate('Y-m-d\TH:i:s.000\Z', $at ?? time());
        return [$timestamp, 'sha256=' . hash_hmac('sha256', "$timestamp.$rawBody", $secret)];
    }
}
