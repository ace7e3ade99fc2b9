<?php

// SHA_SECRET=… php check.php WEBHOOK_ID WEBHOOK_TIMESTAMP WEBHOOK_SIGNATURE < BODY

declare(strict_types=1);

require __DIR__ . '/verify_notification.php';

[, $id, $timestamp, $signature] = $argv;
$headers = ['webhook-id' => $id, 'webhook-timestamp' => $timestamp, 'webhook-signature' => $signature];
$shaSecret = (string) getenv('SHA_SECRET');
$body = (string) file_get_contents('php://stdin');
echo 'signature: ', is_genuine($headers, $body, $shaSecret) ? 'genuine' : 'refused', "\n";
echo 'context: ', is_context_genuine($body, $shaSecret) ? 'genuine' : 'refused', "\n";
