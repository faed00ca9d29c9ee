package org.terrace.collections.state;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.zip.CRC32C;
import java.util.zip.CheckedInputStream;
import java.util.zip.CheckedOutputStream;
import org.terrace.collections.structures.Fingerprints;
import org.terrace.collections.structures.HybridClock;
import org.terrace.collections.structures.causality.Dot;
import org.terrace.collections.structures.causality.VersionVector;
import org.terrace.collections.structures.messages.Delta;
import org.terrace.collections.structures.messages.StateEntry;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.core.codec.Decoder;
import org.terrace.core.codec.Encoder;
import org.terrace.core.codec.MalformedDataException;

/**
 * A snapshot of a replica for its disk: its live entries and the updates it had applied, as they
 * were at one moment. Entries never change, so taking the list of them is a copy-on-write snapshot,
 * and writing needs no lock.
 *
 * <p>A restored checkpoint is joined with what the others have, like any replica's state that was
 * away: however old it is, what was superseded since stays superseded. Immutable by convention.
 */
public final class Checkpoint {
  private static final long MAGIC = 0x5445_5252_4143_4536L;

  /** Of checkpoints in which collections have other numbers, or entries no digests. */
  private static final List<Long> MAGICS_BEFORE =
      List.of(0x5445_5252_4143_4534L, 0x5445_5252_4143_4535L);

  private static final int BLOCK_BYTES_MAX = 64 << 20;

  private final VersionVector applied;
  private final List<Dot> supersededAhead;
  private final List<LiveEntry<?>> entries;

  /** Takes the snapshot; to be called within a step. */
  public Checkpoint(ReplicaState state) {
    this.applied = VersionVector.copyOf(state.applied());
    this.supersededAhead = List.copyOf(state.supersededAhead());
    this.entries = state.liveEntries();
  }

  /** Writes the file anew in one step: after a crash there is the old one or the new one. */
  public void write(Path file) {
    Path fresh = file.resolveSibling(file.getFileName() + ".new");
    try (FileOutputStream out = new FileOutputStream(fresh.toFile())) {
      write(out);
      out.getFD().sync();
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS,
          "cannot write the checkpoint "
              + file
              + ": "
              + e.getMessage()
              + "; free the space or choose"
              + " another folder",
          e);
    }
  }

  /** Writes the checkpoint. */
  public void write(OutputStream file) throws IOException {
    CheckedOutputStream checked =
        new CheckedOutputStream(new BufferedOutputStream(file), new CRC32C());
    DataOutputStream out = new DataOutputStream(checked);
    Encoder block = new Encoder();
    out.writeLong(MAGIC);
    applied.encode(block);
    Delta.putDots(block, supersededAhead);
    writeBlock(out, block);
    out.writeInt(entries.size());
    for (LiveEntry<?> entry : entries) {
      entry.toStateEntry().encode(block);
      writeBlock(out, block);
    }
    out.writeLong(checked.getChecksum().getValue());
    out.flush();
  }

  private static void writeBlock(DataOutputStream out, Encoder block) throws IOException {
    out.writeInt(block.length());
    out.write(block.array(), 0, block.length());
    block.clear();
  }

  /** Reads the file into the state, if there is one; says whether there was. */
  public static boolean read(Path file, ReplicaState state, HybridClock clock) {
    if (!Files.exists(file)) {
      return false;
    }
    try {
      // Checked as a whole before anything is taken over from it.
      try (InputStream in = Files.newInputStream(file)) {
        read(in, new ReplicaState(0), clock);
      }
      try (InputStream in = Files.newInputStream(file)) {
        read(in, state, clock);
      }
      return true;
    } catch (IOException | MalformedDataException e) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          "the checkpoint "
              + file
              + " cannot be read: "
              + e.getMessage()
              + "; move it away to start"
              + " from what the other replicas have",
          e);
    }
  }

  /** Reads a checkpoint into the state. */
  public static void read(InputStream file, ReplicaState state, HybridClock clock)
      throws IOException {
    CheckedInputStream checked =
        new CheckedInputStream(new BufferedInputStream(file), new CRC32C());
    DataInputStream in = new DataInputStream(checked);
    long magic = in.readLong();
    if (MAGICS_BEFORE.contains(magic)) {
      throw new MalformedDataException(
          "an earlier version wrote it, in which names counted otherwise");
    }
    if (magic != MAGIC) {
      throw new MalformedDataException("it does not begin as a checkpoint does");
    }
    Decoder header = readBlock(in);
    VersionVector applied = VersionVector.decode(header);
    List<Dot> supersededAhead = Delta.getDots(header);
    int count = in.readInt();
    Set<Long> live = new HashSet<>();
    for (int i = 0; i < count; i++) {
      Decoder block = readBlock(in);
      StateEntry entry = StateEntry.decode(block);
      state.addEntry(entry, clock);
      live.add(Fingerprints.of(entry.dot().writer(), entry.dot().sequence()));
    }
    long checksum = checked.getChecksum().getValue();
    if (in.readLong() != checksum) {
      throw new MalformedDataException("its checksum does not match");
    }
    state.join(applied, supersededAhead, live);
  }

  private static Decoder readBlock(DataInputStream in) throws IOException {
    int length = in.readInt();
    if (length < 0 || length > BLOCK_BYTES_MAX) {
      throw new MalformedDataException("a block of " + length + " bytes");
    }
    byte[] block = in.readNBytes(length);
    if (block.length < length) {
      throw new MalformedDataException("it is cut off");
    }
    return new Decoder(block);
  }
}
