package org.terrace.capture;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;

/**
 * A network of IPv4 or IPv6 addresses: those that share their first bits, such as {@code
 * 127.0.0.0/16}. Immutable.
 *
 * @param address an address of the network; bits beyond the length are cleared
 * @param length the number of leading bits that count, 0 to 32 or 128
 */
public record AddressPrefix(InetAddress address, int length) {

  /** Clears the bits beyond the length. */
  public AddressPrefix {
    byte[] bytes = address.getAddress();
    if (length < 0 || length > bytes.length * Byte.SIZE) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          "prefix length %d of %s is out of range: expected 0 to %d"
              .formatted(length, address.getHostAddress(), bytes.length * Byte.SIZE));
    }
    address = masked(bytes, length);
  }

  /**
   * Reads {@code 127.0.0.0/16}, {@code 127.0.1.1}, {@code fd00::/8} or {@code ::1}. Names are not
   * looked up.
   *
   * @throws TerraceException when the text is not an address with an optional prefix length
   */
  public static AddressPrefix parse(String text) {
    int slash = text.indexOf('/');
    String literal = slash < 0 ? text : text.substring(0, slash);
    try {
      InetAddress address = InetAddress.ofLiteral(literal);
      int bits = address.getAddress().length * Byte.SIZE;
      return new AddressPrefix(
          address, slash < 0 ? bits : Integer.parseInt(text.substring(slash + 1)));
    } catch (IllegalArgumentException e) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          "'%s' is not a network: expected an address with an optional length, such as 127.0.0.0/16"
              .formatted(text),
          e);
    }
  }

  /** True when the network holds IPv4 addresses. */
  boolean isVersion4() {
    return address.getAddress().length == Integer.BYTES;
  }

  /** The mask of the 32-bit word at the given index, from the most significant word. */
  int maskWord(int index) {
    int bits = Math.clamp(length - index * Integer.SIZE, 0, Integer.SIZE);
    return bits == 0 ? 0 : -1 << (Integer.SIZE - bits);
  }

  @Override
  public String toString() {
    return address.getHostAddress() + "/" + length;
  }

  private static InetAddress masked(byte[] bytes, int length) {
    byte[] kept = Arrays.copyOf(bytes, bytes.length);
    for (int bit = length; bit < kept.length * Byte.SIZE; bit++) {
      kept[bit / Byte.SIZE] &= (byte) ~(0x80 >>> (bit % Byte.SIZE));
    }
    try {
      return InetAddress.getByAddress(kept);
    } catch (UnknownHostException e) {
      throw new IllegalStateException("an address of " + kept.length + " bytes", e);
    }
  }
}
