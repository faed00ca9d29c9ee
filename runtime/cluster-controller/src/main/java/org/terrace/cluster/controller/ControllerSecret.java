package org.terrace.cluster.controller;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.terrace.core.codec.Decoder;
import org.terrace.core.codec.Encoder;

/**
 * The shared secret by which a controller knows its applications: it is never sent, an application
 * shows that it has it by what it makes of a number that is used once. Frames are not encrypted.
 */
final class ControllerSecret {
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int CHALLENGE_BYTES = 32;
  private static final int GREETING_BYTES_MAX = 4_096;
  private static final int GREETING_MILLIS_MAX = 10_000;
  private static final String ALGORITHM = "HmacSHA256";

  private ControllerSecret() {}

  /** A number that nobody can guess. */
  static byte[] challenge() {
    byte[] challenge = new byte[CHALLENGE_BYTES];
    RANDOM.nextBytes(challenge);
    return challenge;
  }

  /**
   * Lets an application in, or tells it why not; gives the purpose of its connection, which is
   * closed if that takes too long, however the application spends the time.
   */
  static int greet(
      Socket socket, DataInputStream in, DataOutputStream out, String secret, String database)
      throws IOException {
    Thread end = Thread.startVirtualThread(() -> closeLater(socket));
    try {
      return greet(in, out, secret, database);
    } finally {
      end.interrupt();
    }
  }

  private static void closeLater(Socket socket) {
    try {
      TimeUnit.MILLISECONDS.sleep(GREETING_MILLIS_MAX);
      socket.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      // What cannot be closed is gone already.
    }
  }

  private static int greet(DataInputStream in, DataOutputStream out, String secret, String database)
      throws IOException {
    byte[] challenge = challenge();
    Encoder greeting = new Encoder();
    greeting.putByte(ControllerFrame.VERSION);
    greeting.putBytes(challenge);
    ControllerFrame.write(out, greeting);
    Decoder answer = new Decoder(ControllerFrame.read(in, GREETING_BYTES_MAX));
    int version = answer.getByte();
    String wanted = answer.getString();
    byte[] shown = answer.getBytes();
    String problem =
        version != ControllerFrame.VERSION
            ? "This controller speaks version %d, not %d."
                .formatted(ControllerFrame.VERSION, version)
            : !isRight(secret, challenge, shown)
                ? "The secret is not this controller's."
                : !wanted.equals(database)
                    ? "There is no database '%s' here, but '%s'.".formatted(wanted, database)
                    : "";
    if (!problem.isEmpty()) {
      ControllerFrame.write(out, Failures.answer(new SQLException(problem, "08004")));
      throw new IOException(problem);
    }
    return answer.getByte();
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
