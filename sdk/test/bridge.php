<?php
/** Runs calls of the PHP client for the tests: one JSON line in, one JSON line out. */

declare(strict_types=1);

use Navette\Client;
use Navette\FileStore;
use Navette\NavetteException;
use Navette\WebhookReceiver;

require __DIR__ . '/../php/Navette.php';

set_error_handler(function (int $level, string $message, string $file, int $line) {
    if (error_reporting() & $level) { // not silenced by @
        throw new ErrorException($message, 0, $level, $file, $line);
    }
    return false;
});

$settings = json_decode($argv[1], true);
$attempts = [];
$client = new Client($settings['url'], $settings['apiKey'], $settings['clientId'], $settings['options'] + [
    'onAttempt' => function (array $attempt) use (&$attempts) {
        $attempts[] = $attempt;
    },
]);

$calls = [
    'collect' => function (array $filters, ?int $stopAfter) use ($client) {
        $list = $client->listShipments($filters);
        $ids = [];
        foreach ($list as $shipment) {
            $ids[] = $shipment['_id'];
            if (count($ids) === $stopAfter) {
                break;
            }
        }
        return ['ids' => $ids, 'cursor' => $list->cursor];
    },
    'exportIds' => fn () => array_map(fn (array $shipment) => $shipment['_id'], iterator_to_array($client->exportShipments(), false)),
    'labelPdf' => fn (string $id) => base64_encode($client->labelPdf($id)),
    'exportLabels' => fn (array $ids) => base64_encode($client->exportLabels($ids)),
    'verify' => fn (string $timestamp, string $signature, string $body, array $secrets) => WebhookReceiver::verify($timestamp, $signature, base64_decode($body), $secrets),
    'reconcile' => function (string $since, string $directory, ?string $failing) use ($client) {
        $handled = [];
        $handler = function (array $event, string $origin) use (&$handled, $failing) {
            if ($event['event'] === $failing) {
                throw new RuntimeException('handler failed');
            }
            $handled[] = ['event' => $event, 'origin' => $origin];
        };
        $names = ['created', 'assigned', 'picked_up', 'delivered', 'cancelled'];
        $handlers = array_fill_keys(array_map(fn (string $name) => "shipping.$name", $names), $handler);
        $receiver = new WebhookReceiver('unused', $handlers, new FileStore($directory), fn () => null);
        return ['result' => $client->reconcile($since, $receiver), 'handled' => $handled];
    },
];

while (($line = fgets(STDIN)) !== false) {
    ['method' => $method, 'args' => $args] = json_decode($line, true, flags: JSON_THROW_ON_ERROR);
    $attempts = [];
    try {
        $answer = ['result' => ($calls[$method] ?? [$client, $method])(...$args)];
    } catch (NavetteException $error) {
        $answer = ['error' => [
            'slug' => $error->slug,
            'message' => $error->getMessage(),
            'status' => $error->status,
            'fields' => $error->fields,
            'fieldErrors' => $error->fieldErrors(),
            'remedy' => $error->remedy(),
            'requestId' => $error->requestId,
            'isRetryable' => $error->isRetryable,
            'idempotencyKey' => $error->idempotencyKey,
            'attempts' => $error->attempts,
        ]];
    } catch (Throwable $error) {
        $answer = ['crash' => (string) $error];
    }
    $waits = array_map(fn (array $attempt) => $attempt['retryIn'] === null ? null : $attempt['retryIn'] * 1000, $attempts);
    echo json_encode($answer + ['waits' => $waits], JSON_THROW_ON_ERROR), "\n";
}
