package org.terrace.cli.history;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.dashboard.comparison.ComparableResults;
import org.terrace.dashboard.comparison.ComparableResults.Result;
import org.terrace.report.FindingsFile;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A file that names the results which others are compared with. It names each result and the digest
 * of its findings, so that neither a result that is written anew nor one that is added moves the
 * baseline: that takes {@link #write}. Stateless.
 */
public final class Baseline {
  /** The format of the file. */
  public static final String FORMAT = "terrace-baseline/1";

  private static final String DIRECTORY = "directory";
  private static final String DIGEST = "findingsSha256";

  private Baseline() {}

  /**
   * The results that a baseline names.
   *
   * @throws TerraceException if there is no such file, or its results are no longer what they were
   */
  public static ComparableResults read(Path file) {
    if (!Files.exists(file)) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          "--baseline "
              + file
              + ": there is no such file. Write it with --set-baseline "
              + file
              + " RESULT.");
    }
    List<Result> results = new ArrayList<>();
    for (JsonNode each : JsonFile.read(file, FORMAT).path("results")) {
      Path directory = folder(file).resolve(each.path(DIRECTORY).asString("")).normalize();
      if (!digest(directory).equals(each.path(DIGEST).asString(""))) {
        throw new TerraceException(
            ErrorCode.BAD_INPUT,
            "not comparable: the baseline %s names %s, which is not there or was written anew"
                    .formatted(file, directory)
                + " since. Restore it, or move the baseline: --set-baseline "
                + file
                + " RESULT.");
      }
      results.addAll(ComparableResults.of(directory, child -> true).results());
    }
    if (results.isEmpty()) {
      throw JsonFile.wrong(file, "it names no result", FORMAT);
    }
    return new ComparableResults("the baseline " + file, results);
  }

  /** Moves a baseline to other results. */
  public static void write(Path file, ComparableResults results) {
    ObjectNode content = JsonMapper.shared().createObjectNode();
    content.put("format", FORMAT);
    ArrayNode list = content.putArray("results");
    for (Result result : results.results()) {
      Path directory = result.directory().toAbsolutePath().normalize();
      list.addObject()
          .put(DIRECTORY, folder(file).relativize(directory).toString())
          .put(DIGEST, digest(directory));
    }
    JsonFile.write(file, content);
  }

  private static Path folder(Path file) {
    Path absolute = file.toAbsolutePath().normalize();
    Path parent = absolute.getParent();
    return parent == null ? absolute : parent;
  }

  /** The digest of a result's findings; empty where there are none. */
  private static String digest(Path directory) {
    Path findings = directory.resolve(FindingsFile.NAME);
    if (!Files.exists(findings)) {
      return "";
    }
    try {
      byte[] bytes = Files.readAllBytes(findings);
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (IOException e) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT, findings + ": it cannot be read (" + e.getMessage() + ")", e);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
