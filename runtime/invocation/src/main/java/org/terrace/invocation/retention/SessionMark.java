package org.terrace.invocation.retention;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The mark that the sessions of one replica have in the database while they run a call: other
 * replicas see by it whose transactions stand in their way. Short and of plain letters, whatever
 * the replica's name.
 *
 * @param text the mark, as the database shows it
 */
record SessionMark(String text) {
  private static final String PREFIX = "terrace-";
  private static final int BYTES = 8;

  /** The mark of the replica of that name. */
  static SessionMark of(String replica) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(replica.getBytes(StandardCharsets.UTF_8));
      return new SessionMark(PREFIX + HexFormat.of().formatHex(digest, 0, BYTES));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java platform has SHA-256", e);
    }
  }
}
