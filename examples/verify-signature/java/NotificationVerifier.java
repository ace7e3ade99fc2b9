import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

final class NotificationVerifier {
  /** A timestamp further from our clock is refused, so that nobody can send a recorded notification again later. */
  private static final long TOLERANCE_SECONDS = 300;

  // Neither pattern can match inside a JSON string, where quotes are escaped.
  private static final Pattern CONTEXT = Pattern.compile("(.*?)\"context\":\\[(.*)]}");
  private static final Pattern HMAC = Pattern.compile("\"hmac\":\"([^\"]*)\"");

  private final byte[] key;

  NotificationVerifier(String shaSecret) {
    key = shaSecret.getBytes(UTF_8);
  }

  /** Whether the notification was signed with the secret in the last minutes. {@code body}: the raw bytes, not parsed. */
  boolean isGenuine(Map<String, String> headers, byte[] body, Instant now) {
    String id = headers.getOrDefault("webhook-id", "");
    String timestamp = headers.getOrDefault("webhook-timestamp", "");
    if (!timestamp.matches("[0-9]{1,15}")) return false;
    if (Math.abs(now.getEpochSecond() - Long.parseLong(timestamp)) > TOLERANCE_SECONDS) return false;
    byte[] digest = hmac((id + "." + timestamp + ".").getBytes(UTF_8), body);
    String expected = "v1," + Base64.getEncoder().encodeToString(digest);
    String[] signatures = headers.getOrDefault("webhook-signature", "").split(" ");
    return Arrays.stream(signatures).anyMatch(signature -> isEqual(signature, expected));
  }

  /** Whether {@code context[0]} is what {@code hmac} in the body says; for use where the headers were lost on the way. */
  boolean isContextGenuine(byte[] body) {
    Matcher parts = CONTEXT.matcher(new String(body, ISO_8859_1));
    if (!parts.matches()) return false;
    Matcher given = HMAC.matcher(parts.group(1));
    if (!given.find()) return false;
    byte[] digest = hmac(parts.group(2).getBytes(ISO_8859_1));
    return isEqual(given.group(1), "sha256=" + HexFormat.of().formatHex(digest));
  }

  private byte[] hmac(byte[]... parts) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      for (byte[] part : parts) mac.update(part);
      return mac.doFinal();
    } catch (GeneralSecurityException missing) {
      throw new IllegalStateException(missing);
    }
  }

  /** Takes the same time wherever the two differ. */
  private static boolean isEqual(String given, String expected) {
    return MessageDigest.isEqual(given.getBytes(UTF_8), expected.getBytes(UTF_8));
  }
}
