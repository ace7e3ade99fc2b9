<?php

declare(strict_types=1);

/** A timestamp further from our clock is refused, so that nobody can send a recorded notification again later. */
const TOLERANCE_SECONDS = 300;

/**
 * Whether the notification was signed with $shaSecret in the last minutes. $body: the raw bytes, not parsed.
 *
 * @param array<string, string> $headers by names in lower case
 */
function is_genuine(array $headers, string $body, string $shaSecret, ?int $nowSeconds = null): bool
{
    $id = $headers['webhook-id'] ?? '';
    $timestamp = $headers['webhook-timestamp'] ?? '';
    $now = $nowSeconds ?? time();
    if (preg_match('/^[0-9]{1,15}$/D', $timestamp) !== 1 || abs($now - (int) $timestamp) > TOLERANCE_SECONDS) {
        return false;
    }
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $shaSecret, true));
    foreach (explode(' ', $headers['webhook-signature'] ?? '') as $signature) {
        if (hash_equals($expected, $signature)) {
            return true;
        }
    }
    return false;
}

/** Whether context[0] is what hmac in the body says; for use where the headers were lost on the way. */
function is_context_genuine(string $body, string $shaSecret): bool
{
    // Neither pattern can match inside a JSON string, where quotes are escaped.
    $from = strpos($body, '"context":[');
    if ($from === false || !str_ends_with($body, ']}')) {
        return false;
    }
    $context = substr($body, $from + strlen('"context":['), -strlen(']}'));
    if (preg_match('/"hmac":"([^"]*)"/', substr($body, 0, $from), $given) !== 1) {
        return false;
    }
    return hash_equals('sha256=' . hash_hmac('sha256', $context, $shaSecret), $given[1]);
}
