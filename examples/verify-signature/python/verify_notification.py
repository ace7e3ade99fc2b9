import base64
import hashlib
import hmac
import re
import time

# A timestamp further from our clock is refused, so that nobody can send a recorded notification again later.
TOLERANCE_SECONDS = 300


def is_genuine(headers, body, sha_secret, now_seconds=None):
    """Whether the notification was signed with sha_secret in the last minutes. body: the raw bytes, not parsed."""
    notification_id = headers.get("webhook-id", "")
    timestamp = headers.get("webhook-timestamp", "")
    now = time.time() if now_seconds is None else now_seconds
    if not re.fullmatch("[0-9]{1,15}", timestamp) or abs(now - int(timestamp)) > TOLERANCE_SECONDS:
        return False
    signed = f"{notification_id}.{timestamp}.".encode() + body
    digest = base64.b64encode(hmac.digest(sha_secret.encode(), signed, hashlib.sha256))
    signatures = headers.get("webhook-signature", "").split(" ")
    return any(hmac.compare_digest(signature.encode(), b"v1," + digest) for signature in signatures)


def is_context_genuine(body, sha_secret):
    """Whether context[0] is what hmac in the body says; for use where the headers were lost on the way."""
    # Neither pattern can match inside a JSON string, where quotes are escaped.
    found = re.fullmatch(rb'(.*?)"context":\[(.*)\]\}', body)
    given = found and re.search(rb'"hmac":"([^"]*)"', found[1])
    if not given:
        return False
    expected = "sha256=" + hmac.new(sha_secret.encode(), found[2], hashlib.sha256).hexdigest()
    return hmac.compare_digest(given[1], expected.encode())
