package org.terrace.nodes.machine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.terrace.core.process.ProcessStat;

/**
 * The notes of runs that have changed a governor of the kernel, a file each: its lines are the
 * governor that the processor had before any of them, the kernel's file, the start of the machine,
 * and the governor that the run wants. The file's name tells the run's process, so that a note
 * whose run was killed is known as such. A processor has the governor that the youngest note wants,
 * and without a note the one it had before. Stateless beside the files.
 *
 * <p>{@link org.terrace.core.process.Keeper} reads the first two lines.
 */
final class GovernorNotes {
  private static final String PREFIX = "terrace-governor-";
  private static final Pattern NAME = Pattern.compile(PREFIX + "(\\d{1,10})-(\\d{1,18})-\\d+");
  private static final Pattern GOVERNOR = Pattern.compile("[a-z_]{1,32}");
  private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");
  private static final Path SELF = Path.of("/proc/self");
  private static final String ADMINISTRATOR = "root";
  private static final int LINES = 4;
  private static final int MOST_BYTES = 4_096;
  private static final AtomicInteger NUMBER = new AtomicInteger();

  private final Path folder;
  private final Path policies;

  /**
   * @param folder the folder of the notes, which all runs of this machine share
   * @param policies the kernel's folder of governors, beyond which no note reaches
   */
  GovernorNotes(Path folder, Path policies) {
    this.folder = folder;
    this.policies = policies;
  }

  /**
   * A note as it is read.
   *
   * @param before the governor before any run changed it
   * @param governor the kernel's file
   * @param wanted the governor that the run wants
   */
  record Note(Path file, String before, Path governor, String wanted, FileTime written) {
    private boolean isAlive() {
      Matcher name = NAME.matcher(file.getFileName().toString());
      return name.matches()
          && ProcessStat.of(Long.parseLong(name.group(1)))
              .filter(ProcessStat::isAlive)
              .filter(owner -> owner.startTicks() == Long.parseLong(name.group(2)))
              .isPresent();
    }
  }

  /** The place of one more note of this process, which is not written yet. */
  Path newFile() {
    long pid = ProcessHandle.current().pid();
    long ticks = ProcessStat.of(pid).map(ProcessStat::startTicks).orElse(0L);
    return folder.resolve(PREFIX + pid + "-" + ticks + "-" + NUMBER.incrementAndGet());
  }

  /** Writes a note, or writes it anew, whole or not at all. */
  void write(Path file, Path governor, String wanted) throws IOException {
    Optional<Note> known = of(governor).stream().findFirst();
    String before = known.isPresent() ? known.get().before() : value(governor);
    Path temporary = folder.resolve("." + file.getFileName());
    Files.writeString(
        temporary, String.join("\n", before, governor.toString(), boot(), wanted) + "\n");
    Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
  }

  /** Gives a governor back to whoever else wants one, or to what it was; the note goes. */
  void giveBack(Path file) throws IOException {
    Optional<Note> own = of(file.getFileName().toString());
    if (own.isEmpty()) {
      return; // a keeper that took this process for dead has done it
    }
    // Before the note goes, since this process may be killed in between, and after it, since
    // another run may have left it to this one in between.
    settle(own.get());
    Files.deleteIfExists(file);
    settle(own.get());
  }

  private void settle(Note left) throws IOException {
    String value =
        of(left.governor()).stream()
            .filter(note -> !note.file().equals(left.file()) && note.isAlive())
            .max(Comparator.comparing(Note::written))
            .map(Note::wanted)
            .orElse(left.before());
    if (!value(left.governor()).equals(value)) {
      KernelFile.write(left.governor(), value + "\n");
    }
  }

  /**
   * Gives back what runs have changed that were killed, and their keepers with them.
   *
   * @return a sentence for each, also for those of which this user may not
   */
  List<String> giveBackLeft() {
    List<String> sentences = new ArrayList<>();
    for (Note note : all()) {
      if (note.isAlive()) {
        continue;
      }
      try {
        String found = value(note.governor());
        giveBack(note.file());
        String now = value(note.governor());
        if (!now.equals(found)) {
          sentences.add(
              "gave %s back the governor %s, which a run that was killed had left at %s"
                  .formatted(note.governor().getParent(), now, found));
        }
      } catch (IOException e) {
        sentences.add(
            "a run that was killed has changed a processor's governor, which cannot be given back"
                + " (%s): do it with: echo %s | sudo tee %s && sudo rm %s"
                    .formatted(e.getMessage(), note.before(), note.governor(), note.file()));
      }
    }
    return sentences;
  }

  /** The notes of this start of the machine about a governor, of living runs and dead ones. */
  private List<Note> of(Path governor) {
    return all().stream().filter(note -> note.governor().equals(governor)).toList();
  }

  private Optional<Note> of(String name) {
    return all().stream()
        .filter(note -> note.file().getFileName().toString().equals(name))
        .findFirst();
  }

  private List<Note> all() {
    List<Note> all = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, PREFIX + "*")) {
      for (Path file : files) {
        read(file).ifPresent(all::add);
      }
    } catch (IOException | DirectoryIteratorException e) {
      return all; // a folder that cannot be listed has no notes of ours
    }
    return all;
  }

  /** A note, unless it is no such file, or that of somebody who may not say what is to be done. */
  private Optional<Note> read(Path file) {
    try {
      String owner = Files.getOwner(file, LinkOption.NOFOLLOW_LINKS).getName();
      boolean trusted = owner.equals(ADMINISTRATOR) || owner.equals(Files.getOwner(SELF).getName());
      if (!trusted
          || !NAME.matcher(file.getFileName().toString()).matches()
          || !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
          || Files.size(file) > MOST_BYTES) {
        return Optional.empty();
      }
      List<String> lines = Files.readAllLines(file);
      if (lines.size() != LINES
          || !GOVERNOR.matcher(lines.get(0)).matches()
          || !GOVERNOR.matcher(lines.get(3)).matches()
          || !Path.of(lines.get(1)).normalize().startsWith(policies)) {
        return Optional.empty();
      }
      if (!lines.get(2).equals(boot())) {
        Files.deleteIfExists(file); // the machine's start has given it back
        return Optional.empty();
      }
      return Optional.of(
          new Note(
              file,
              lines.get(0),
              Path.of(lines.get(1)),
              lines.get(3),
              Files.getLastModifiedTime(file)));
    } catch (IOException | UncheckedIOException e) {
      return Optional.empty(); // it goes at this moment
    }
  }

  private static String value(Path governor) throws IOException {
    return Files.readAllLines(governor).getFirst().strip();
  }

  private static String boot() throws IOException {
    return Files.readString(BOOT).strip();
  }
}
