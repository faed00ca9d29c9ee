package org.terrace.invocation.retention;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.terrace.middleware.CallRequest;

/** The digest of a request's content, 32 bytes: SHA-256 of service, method and arguments. */
final class Fingerprint {
  private static final byte END_OF_NAME = 0;

  private Fingerprint() {}

  static byte[] of(CallRequest request) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(request.service().getBytes(StandardCharsets.UTF_8));
      digest.update(END_OF_NAME);
      digest.update(request.method().getBytes(StandardCharsets.UTF_8));
      digest.update(END_OF_NAME);
      return digest.digest(request.arguments());
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("Every Java platform has SHA-256.", e);
    }
  }
}
