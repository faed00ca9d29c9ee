package org.terrace.groups;

/**
 * The first byte of a message: its kind, 0 to 15, in the lower half, and the version of the
 * protocol in which it is written in the upper half. The version is set when the message is sent,
 * for it is the receiver's ({@link ProtocolAgreement}). Stateless and thread-safe.
 */
public final class VersionedKind {
  private static final int VERSION_SHIFT = 4;
  private static final int KIND_MASK = 0xF;

  private VersionedKind() {}

  /** The kind of a message with that first byte. */
  public static int kindOf(int first) {
    return first & KIND_MASK;
  }

  /** The version of a message with that first byte. */
  public static int versionOf(int first) {
    return first >>> VERSION_SHIFT & KIND_MASK;
  }

  /** Makes the message, whose first byte has its kind, one of that version. */
  public static void setVersion(byte[] message, int version) {
    message[0] = (byte) (version << VERSION_SHIFT | kindOf(message[0]));
  }
}
