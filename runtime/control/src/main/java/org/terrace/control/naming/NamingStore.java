package org.terrace.control.naming;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.core.codec.Decoder;
import org.terrace.core.codec.Encoder;
import org.terrace.core.codec.MalformedDataException;

/**
 * The file that holds all a naming process must remember: replaced as a whole with each change, by
 * a new one that was forced to the disk before. Confined to the lock of its owner.
 *
 * <p>Format: eight bytes {@value #MAGIC_TEXT}, then a count and that many slots, then eight bytes
 * with the CRC-32C of all before.
 */
final class NamingStore {
  private static final String MAGIC_TEXT = "TRCNAME1";
  private static final long MAGIC = 0x5452434E414D4531L;
  private static final int FILE_BYTES_MAX = 64 << 20;
  private static final int SLOTS_MAX = 100_000;

  private final Path file;
  private final Path unfinished;

  /** The store in a directory, which is made if there is none. */
  NamingStore(Path directory) {
    this.file = directory.resolve("names");
    this.unfinished = directory.resolve("names.unfinished");
    try {
      Files.createDirectories(directory);
    } catch (IOException e) {
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS,
          "the directory " + directory + " of the naming process cannot be made: " + e.getMessage(),
          e);
    }
  }

  /**
   * What was stored last; nothing if nothing ever was.
   *
   * @throws TerraceException if the file is damaged
   */
  Map<String, Acceptor.Slot> load() {
    if (!Files.exists(file)) {
      return Map.of();
    }
    try {
      if (Files.size(file) > FILE_BYTES_MAX) {
        throw new MalformedDataException("it is longer than " + FILE_BYTES_MAX + " bytes");
      }
      return decode(Files.readAllBytes(file));
    } catch (MalformedDataException | IOException e) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          "the names in "
              + file
              + " cannot be read: "
              + e.getMessage()
              + "; this process must not guess what it promised: restore the file, or give the"
              + " process an empty directory and a new name among the naming processes",
          e);
    }
  }

  /** Stores everything; returns when it is on the disk. */
  void save(Map<String, Acceptor.Slot> slots) {
    ByteBuffer bytes = ByteBuffer.wrap(encode(slots));
    try (FileChannel channel =
        FileChannel.open(
            unfinished,
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.TRUNCATE_EXISTING)) {
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(false);
      Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot store names in " + file, e);
    }
  }

  static byte[] encode(Map<String, Acceptor.Slot> slots) {
    Encoder out = new Encoder();
    out.putFixedLong(MAGIC);
    out.putUnsigned(slots.size());
    slots.forEach((name, slot) -> {
      out.putString(name);
      NamingCodec.putBallot(out, slot.promised());
      NamingCodec.putBallot(out, slot.accepted());
      NamingCodec.putOptional(out, slot.value());
      NamingCodec.putOptional(out, slot.chosen());
    });
    out.putFixedLong(checksum(out.array(), out.length()));
    return out.toBytes();
  }

  static Map<String, Acceptor.Slot> decode(byte[] bytes) {
    int length = bytes.length - Long.BYTES;
    if (length < Long.BYTES || ByteBuffer.wrap(bytes).getLong(length) != checksum(bytes, length)) {
      throw new MalformedDataException("its checksum is wrong");
    }
    Decoder in = new Decoder(bytes);
    if (in.getFixedLong() != MAGIC) {
      throw new MalformedDataException("it does not begin with " + MAGIC_TEXT);
    }
    Map<String, Acceptor.Slot> slots = new TreeMap<>();
    int count = in.getCount(SLOTS_MAX);
    for (int i = 0; i < count; i++) {
      slots.put(
          in.getString(),
          new Acceptor.Slot(
              NamingCodec.getBallot(in),
              NamingCodec.getBallot(in),
              NamingCodec.getOptional(in),
              NamingCodec.getOptional(in)));
    }
    return slots;
  }

  private static long checksum(byte[] bytes, int length) {
    CRC32C checksum = new CRC32C();
    checksum.update(bytes, 0, length);
    return checksum.getValue();
  }
}
