package org.terrace.middleware.terrace;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/** Comparing secrets in a time that does not depend on where they differ. */
final class Secrets {
  private Secrets() {}

  static boolean equal(String shown, String expected) {
    return MessageDigest.isEqual(
        shown.getBytes(StandardCharsets.UTF_8), expected.getBytes(StandardCharsets.UTF_8));
  }
}
