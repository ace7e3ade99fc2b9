import java.io.IOException;
import java.time.Instant;
import java.util.Map;

/** SHA_SECRET=… java Check WEBHOOK_ID WEBHOOK_TIMESTAMP WEBHOOK_SIGNATURE < BODY, once javac has compiled both files. */
final class Check {
  public static void main(String[] arguments) throws IOException {
    Map<String, String> headers =
        Map.of("webhook-id", arguments[0], "webhook-timestamp", arguments[1], "webhook-signature", arguments[2]);
    NotificationVerifier verifier = new NotificationVerifier(System.getenv("SHA_SECRET"));
    byte[] body = System.in.readAllBytes();
    System.out.println("signature: " + (verifier.isGenuine(headers, body, Instant.now()) ? "genuine" : "refused"));
    System.out.println("context: " + (verifier.isContextGenuine(body) ? "genuine" : "refused"));
  }
}
