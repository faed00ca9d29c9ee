package org.terrace.control.link;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.KDF;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.HKDFParameterSpec;
import org.terrace.control.ControlSecret;

/**
 * The encryption of one connection between two who share a secret: AES-256-GCM, a key for each
 * direction.
 *
 * <p>Each end sends {@value #MARK_BYTES} bytes that name this protocol and {@value #SALT_BYTES}
 * that it draws; both derive the two keys from the secret and what both have drawn (HKDF with
 * SHA-256), so nothing recorded on another connection is worth anything on this one. The nonce is
 * the frame's number in its direction, so that frames that are left out, repeated or put in another
 * order are refused like forged ones. The first frame of each direction is empty: it shows that the
 * other end has the secret. Sources: NIST SP 800-38D; RFC 5869.
 *
 * <p>Sealing is confined to one thread, and opening to one.
 */
final class LinkCipher {
  private static final int MARK_BYTES = 4;
  private static final int SALT_BYTES = 32;
  private static final int KEY_BYTES = 32;
  private static final int NONCE_BYTES = 12;
  private static final int TAG_BYTES = 16;

  /** As the length of a frame it is too much: an end without a secret refuses it. */
  private static final byte[] MARK = "TRL1".getBytes(StandardCharsets.US_ASCII);

  /** The mark as an end without a secret reads it: the length of a frame. */
  static final int MARK_AS_LENGTH = ByteBuffer.wrap(MARK).getInt();

  private static final SecureRandom RANDOM = new SecureRandom();

  /** The bytes by which a frame grows. */
  static final int OVERHEAD_BYTES = TAG_BYTES;

  private final SecretKey sealing;
  private final SecretKey opening;
  private final Cipher sealer;
  private final Cipher opener;
  private long sealed;
  private long opened;

  private LinkCipher(SecretKey sealing, SecretKey opening) throws GeneralSecurityException {
    this.sealing = sealing;
    this.opening = opening;
    sealer = Cipher.getInstance("AES/GCM/NoPadding");
    opener = Cipher.getInstance("AES/GCM/NoPadding");
  }

  /**
   * Agrees with the other end on the keys; the socket's timeout bounds each wait.
   *
   * @param connecting whether this end made the connection: it shows first which secret it has, and
   *     the other end takes any that it accepts
   * @throws ProtocolException if the other end has no secret, or another one
   */
  static LinkCipher agree(
      ControlSecret secret, boolean connecting, DataInputStream in, OutputStream out)
      throws IOException {
    byte[] own = new byte[SALT_BYTES];
    RANDOM.nextBytes(own);
    out.write(ByteBuffer.allocate(MARK_BYTES + SALT_BYTES).put(MARK).put(own).array());
    out.flush();
    byte[] mark = in.readNBytes(MARK_BYTES);
    if (mark.length < MARK_BYTES) {
      throw new EOFException("the other end closed the connection, as one without a secret does");
    }
    if (!Arrays.equals(mark, MARK)) {
      throw new ProtocolException("the other end has no secret, and this one has");
    }
    byte[] other = new byte[SALT_BYTES];
    in.readFully(other);
    if (connecting) {
      LinkCipher cipher = derive(secret, true, own, other);
      cipher.show(out);
      cipher.open(shown(in));
      return cipher;
    }
    return accept(secret, own, other, shown(in), out);
  }

  private void show(OutputStream out) throws IOException {
    byte[] proof = seal(new byte[0]);
    out.write(
        ByteBuffer.allocate(Integer.BYTES + proof.length).putInt(proof.length).put(proof).array());
    out.flush();
  }

  private static byte[] shown(DataInputStream in) throws IOException {
    if (in.readInt() != TAG_BYTES) {
      throw new ProtocolException("the other end does not show that it has the secret");
    }
    byte[] shown = new byte[TAG_BYTES];
    in.readFully(shown);
    return shown;
  }

  /** The keys by that of the accepted secrets which the other end has shown. */
  private static LinkCipher accept(
      ControlSecret secret, byte[] own, byte[] other, byte[] shown, OutputStream out)
      throws IOException {
    ProtocolException refused = new ProtocolException("the other end has another secret");
    for (ControlSecret each : secret.accepted()) {
      LinkCipher cipher = derive(each, false, own, other);
      try {
        cipher.open(shown);
        cipher.show(out);
        return cipher;
      } catch (ProtocolException e) {
        refused.addSuppressed(e);
      }
    }
    derive(secret, false, own, other).show(out); // So that the other end knows, too.
    throw refused;
  }

  private static LinkCipher derive(
      ControlSecret secret, boolean connecting, byte[] own, byte[] other) {
    byte[] salt =
        ByteBuffer.allocate(2 * SALT_BYTES)
            .put(connecting ? own : other)
            .put(connecting ? other : own)
            .array();
    try {
      KDF derivation = KDF.getInstance("HKDF-SHA256");
      SecretKey onward = derive(derivation, secret, salt, "terrace control 1, onward");
      SecretKey back = derive(derivation, secret, salt, "terrace control 1, back");
      return connecting ? new LinkCipher(onward, back) : new LinkCipher(back, onward);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has AES-GCM and HKDF", e);
    }
  }

  private static SecretKey derive(KDF derivation, ControlSecret secret, byte[] salt, String purpose)
      throws GeneralSecurityException {
    return derivation.deriveKey(
        "AES",
        HKDFParameterSpec.ofExtract()
            .addIKM(secret.key())
            .addSalt(salt)
            .thenExpand(purpose.getBytes(StandardCharsets.US_ASCII), KEY_BYTES));
  }

  /** The next frame of this end, encrypted. */
  byte[] seal(byte[] body) {
    try {
      sealer.init(Cipher.ENCRYPT_MODE, sealing, nonce(sealed++));
      return sealer.doFinal(body);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("cannot encrypt", e);
    }
  }

  /**
   * The next frame of the other end, in the clear.
   *
   * @throws ProtocolException if it is none of the other end's, or not its next
   */
  byte[] open(byte[] body) throws ProtocolException {
    try {
      opener.init(Cipher.DECRYPT_MODE, opening, nonce(opened++));
      return opener.doFinal(body);
    } catch (GeneralSecurityException e) {
      ProtocolException refused =
          new ProtocolException(
              opened == 1
                  ? "the other end has another secret"
                  : "a frame was forged, repeated or left out");
      refused.initCause(e);
      throw refused;
    }
  }

  private static GCMParameterSpec nonce(long number) {
    return new GCMParameterSpec(
        Byte.SIZE * TAG_BYTES, ByteBuffer.allocate(NONCE_BYTES).putInt(0).putLong(number).array());
  }
}
