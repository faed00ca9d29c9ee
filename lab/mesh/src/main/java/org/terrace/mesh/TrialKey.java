package org.terrace.mesh;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import org.terrace.specification.PlannedTrial;

/**
 * The key of a trial: the SHA-256 digest of what decides its outcome, which is its specification,
 * the programs and the machine. Trials of one key are the same trial, so that none is run twice
 * (decision 0320). Stateless.
 */
final class TrialKey {
  private static final int BUFFER = 1 << 16;

  private TrialKey() {}

  /** The key, 64 hexadecimal digits. */
  static String of(PlannedTrial trial, String programs, Map<String, String> machine) {
    MessageDigest digest = sha256();
    add(digest, trial.content());
    add(digest, Integer.toString(trial.repeat()));
    add(digest, programs);
    new TreeMap<>(trial.experiment().programs())
        .forEach((tier, program) -> {
          add(digest, tier);
          program.files().forEach(file -> add(digest, content(file)));
        });
    new TreeMap<>(machine)
        .forEach((name, value) -> {
          add(digest, name);
          add(digest, value);
        });
    return HexFormat.of().formatHex(digest.digest());
  }

  /** The digest of a file's content; of one that is gone by now, that it is. */
  static String content(Path file) {
    MessageDigest digest = sha256();
    try (InputStream stream = Files.newInputStream(file)) {
      byte[] buffer = new byte[BUFFER];
      for (int count = stream.read(buffer); count >= 0; count = stream.read(buffer)) {
        digest.update(buffer, 0, count);
      }
    } catch (NoSuchFileException e) {
      return "no file";
    } catch (IOException e) {
      throw new UncheckedIOException(file + ", a file of a trial's programs, cannot be read", e);
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /** Adds a text behind its length, so that no two lists of texts digest alike. */
  static void add(MessageDigest digest, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    digest.update((bytes.length + ":").getBytes(StandardCharsets.UTF_8));
    digest.update(bytes);
  }
}
