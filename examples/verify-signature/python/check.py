# SHA_SECRET=… python3 check.py WEBHOOK_ID WEBHOOK_TIMESTAMP WEBHOOK_SIGNATURE < BODY
import os
import sys

from verify_notification import is_context_genuine, is_genuine

headers = dict(zip(["webhook-id", "webhook-timestamp", "webhook-signature"], sys.argv[1:]))
sha_secret = os.environ.get("SHA_SECRET", "")
body = sys.stdin.buffer.read()
print("signature:", "genuine" if is_genuine(headers, body, sha_secret) else "refused")
print("context:", "genuine" if is_context_genuine(body, sha_secret) else "refused")
