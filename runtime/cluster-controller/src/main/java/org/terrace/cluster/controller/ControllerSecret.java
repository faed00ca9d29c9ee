package org.terrace.cluster.controller;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The shared secret by which a controller knows its applications: it is never sent, an application
 * shows that it has it by what it makes of a number that is used once. Frames are not encrypted.
 */
final class ControllerSecret {
  static final int CHALLENGE_BYTES = 32;
  private static final String ALGORITHM = "HmacSHA256";

  private ControllerSecret() {}

  static byte[] challenge(SecureRandom random) {
    byte[] challenge = new byte[CHALLENGE_BYTES];
    random.nextBytes(challenge);
    return challenge;
  }

  static byte[] answer(String secret, byte[] challenge) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      // A key must not be empty; where no secret is wanted, all have this one.
      mac.init(new SecretKeySpec(("terrace" + secret).getBytes(StandardCharsets.UTF_8), ALGORITHM));
      return mac.doFinal(challenge);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  static boolean isRight(String secret, byte[] challenge, byte[] answer) {
    return MessageDigest.isEqual(answer(secret, challenge), answer);
  }
}
