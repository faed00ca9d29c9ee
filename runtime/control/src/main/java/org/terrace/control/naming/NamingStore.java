package org.terrace.control.naming;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.core.codec.Decoder;
import org.terrace.core.codec.Encoder;
import org.terrace.core.codec.MalformedDataException;

/**
 * The file that holds all a naming process must remember: replaced as a whole with each change, by
 * a new one that was forced to the disk before. Confined to the lock of its owner.
 *
 * <p>Format: eight bytes {@value #MAGIC_TEXT}, a byte that is 1 if the process votes, its
 * incarnation, a count and that many incarnations of founders, the floor of its rounds, a count and
 * that many slots, then eight bytes with the CRC-32C of all before.
 */
final class NamingStore {
  private static final String MAGIC_TEXT = "TRCNAME3";
  private static final long MAGIC = 0x5452434E414D4533L;
  private static final int FILE_BYTES_MAX = 64 << 20;

  /** The way in which what was written gets onto the disk, from where no loss of power takes it. */
  interface Disk {
    /** Returns when the file or folder behind the channel is there as it is now. */
    void force(FileChannel channel, Path written) throws IOException;
  }

  private final Path directory;
  private final Path file;
  private final Path unfinished;
  private final Disk disk;

  /** The store in a directory, which is made if there is none. */
  NamingStore(Path directory) {
    this(directory, (channel, written) -> channel.force(true));
  }

  NamingStore(Path directory, Disk disk) {
    this.disk = disk;
    this.directory = directory;
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
   * The names that were stored last; null if nothing ever was, or if the disk was lost.
   *
   * @throws TerraceException if the file is damaged
   */
  @Nullable StoredNames load() {
    if (!Files.exists(file)) {
      return null;
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
              + "; this process must not guess what it promised, and an older copy of the file would:"
              + " give the process an empty directory, upon which it votes again once the others have told it"
              + " what it may have promised",
          e);
    }
  }

  /**
   * Stores everything; returns when it is on the disk.
   *
   * @throws IOException if it may not be: then what was stored before may be there, or this
   */
  void save(StoredNames names) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(encode(names));
    if (bytes.remaining() > FILE_BYTES_MAX) {
      throw new IOException(
          "the names take " + bytes.remaining() + " bytes, more than " + FILE_BYTES_MAX);
    }
    try (FileChannel channel =
        FileChannel.open(
            unfinished,
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.TRUNCATE_EXISTING)) {
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      disk.force(channel, unfinished);
      Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
      forceDirectory();
    }
  }

  /** The move is on the disk when the directory is. */
  private void forceDirectory() throws IOException {
    try (FileChannel folder = FileChannel.open(directory, StandardOpenOption.READ)) {
      disk.force(folder, directory);
    }
  }

  static byte[] encode(StoredNames names) {
    Encoder out = new Encoder();
    out.putFixedLong(MAGIC);
    out.putByte(names.admitted() ? 1 : 0);
    out.putFixedLong(names.incarnation());
    NamingCodec.putFounders(out, names.founders());
    out.putUnsigned(names.floor());
    NamingCodec.putSlots(out, names.slots());
    out.putFixedLong(checksum(out.array(), out.length()));
    return out.toBytes();
  }

  static StoredNames decode(byte[] bytes) {
    int length = bytes.length - Long.BYTES;
    if (length < Long.BYTES || ByteBuffer.wrap(bytes).getLong(length) != checksum(bytes, length)) {
      throw new MalformedDataException("its checksum is wrong");
    }
    Decoder in = new Decoder(bytes);
    if (in.getFixedLong() != MAGIC) {
      throw new MalformedDataException("it does not begin with " + MAGIC_TEXT);
    }
    boolean admitted = in.getByte() != 0;
    long incarnation = in.getFixedLong();
    Set<Long> founders = NamingCodec.getFounders(in);
    long floor = NamingCodec.getCounter(in);
    return new StoredNames(admitted, incarnation, founders, floor, NamingCodec.getSlots(in));
  }

  private static long checksum(byte[] bytes, int length) {
    CRC32C checksum = new CRC32C();
    checksum.update(bytes, 0, length);
    return checksum.getValue();
  }
}
