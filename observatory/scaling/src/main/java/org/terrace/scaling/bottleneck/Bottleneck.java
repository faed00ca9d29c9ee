package org.terrace.scaling.bottleneck;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.terrace.scaling.bottleneck.Dependence.Finding;

/**
 * The bottleneck of a configuration under a load, or that there is none. Immutable.
 *
 * @param kind its class
 * @param tiers the tiers of its resources, in the order of their first server
 * @param resources its resources, the most often saturated first
 * @param suspects soft resources that are saturated, the most often first
 * @param union the share of samples in which any hardware is saturated
 * @param dependence the test of dependence; null where it was not called for
 * @param finding what it tells; null without it
 * @param lacking the hardware that was not sampled throughout, such as {@code cpu of app1}
 * @param leftOut the samples of hardware that {@code union} leaves out, since at their time other
 *     hardware was not read
 */
public record Bottleneck(
    Kind kind,
    List<String> tiers,
    List<ResourceSaturation> resources,
    List<ResourceSaturation> suspects,
    double union,
    @Nullable Dependence dependence,
    @Nullable Finding finding,
    List<String> lacking,
    int leftOut) {
  /** Names that words list. */
  private static final int MOST_NAMES = 3;

  /** Copies the lists. */
  public Bottleneck {
    tiers = List.copyOf(tiers);
    resources = List.copyOf(resources);
    suspects = List.copyOf(suspects);
    lacking = List.copyOf(lacking);
  }

  /**
   * The same bottleneck where some hardware was not sampled throughout: that none was saturated is
   * then not known.
   */
  Bottleneck lacking(List<String> hardware) {
    Kind known = kind == Kind.NO_HARDWARE && !hardware.isEmpty() ? Kind.UNCLEAR : kind;
    return new Bottleneck(
        known, tiers, resources, suspects, union, dependence, finding, hardware, leftOut);
  }

  /** The same bottleneck with so many samples left out. */
  Bottleneck withLeftOut(int samples) {
    return new Bottleneck(
        kind, tiers, resources, suspects, union, dependence, finding, lacking, samples);
  }

  /** Classes of bottlenecks. */
  public enum Kind {
    /** Throughput still grows with the load: nothing is claimed. */
    NONE("none", "throughput still grows with the load"),
    /** One resource, saturated throughout. */
    SINGLE("single", "one resource is saturated throughout"),
    /** One resource, saturated at times. */
    PARTIAL("partial", "one resource is saturated at times"),
    /** Several resources, each saturated throughout. */
    SIMULTANEOUS("simultaneous", "several resources are saturated throughout"),
    /** Several resources, each saturated at times, and by no turns that the samples tell. */
    CONCURRENT(
        "concurrent",
        "several resources are saturated at times, by no turns that the samples tell"),
    /** Several resources of which now one, now another is saturated. */
    OSCILLATORY("oscillatory", "saturation moves from one resource to another"),
    /** Resources saturated throughout, and others at times. */
    MIXED("mixed", "some resources are saturated throughout, others at times"),
    /** Throughput grows no more, and no hardware is saturated. */
    NO_HARDWARE("no-hardware", "no hardware is saturated: suspect serialisation or a soft limit"),
    /** Throughput grows no more, and what is saturated explains it only in part, or not how. */
    UNCLEAR("unclear", "the samples explain the limit only in part");

    private final String word;
    private final String sentence;

    Kind(String word, String sentence) {
      this.word = word;
      this.sentence = sentence;
    }

    /** The class as a sentence without its full stop. */
    public String sentence() {
      return sentence;
    }

    /** Whether resources are named that hold throughput back. */
    public boolean isHardware() {
      return this != NONE && this != NO_HARDWARE && this != UNCLEAR;
    }

    @Override
    public String toString() {
      return word;
    }
  }

  /** Whether the resources tend to saturate at the same time. */
  public boolean comoves() {
    return finding == Finding.TOGETHER;
  }

  /** Whether the class follows from shares of which no test tells whether they depend. */
  boolean isUntested() {
    return finding == Finding.UNTESTED;
  }

  /** Whether another bottleneck differs in what is told of both: the class, or the resources. */
  boolean differs(Bottleneck other) {
    boolean untold =
        (kind == Kind.UNCLEAR && other.namesHardware())
            || (other.kind == Kind.UNCLEAR && namesHardware());
    return !places().equals(other.places()) || (kind != other.kind && !untold);
  }

  private Set<String> places() {
    return resources.stream()
        .map(each -> each.tier() + " " + each.resource())
        .collect(Collectors.toSet());
  }

  /** Whether hardware is named that holds throughput back, be its class told or not. */
  boolean namesHardware() {
    return kind.isHardware() || (kind == Kind.UNCLEAR && finding != null);
  }

  /**
   * Remarks on what its class leaves open: how its resources depend on each other, and the hardware
   * that may be saturated, too, since it was not sampled throughout.
   */
  public List<String> remarks() {
    List<String> remarks = new ArrayList<>();
    if (finding != null && (comoves() || kind == Kind.UNCLEAR || isUntested())) {
      remarks.add(finding.words());
    }
    if (kind != Kind.NONE && !lacking.isEmpty()) {
      remarks.add("not sampled throughout: " + listed(lacking));
    }
    return remarks;
  }

  /** The bottleneck in a few words: {@code oscillatory: disk of database1, disk of database2}. */
  public String words() {
    List<String> named = resources.stream().map(ResourceSaturation::words).toList();
    List<String> words = new ArrayList<>();
    words.add(kind + (named.isEmpty() ? "" : ": " + listed(named)));
    if (kind == Kind.NO_HARDWARE && !suspects.isEmpty()) {
      words.add("soft limit: " + suspects.getFirst().words());
    }
    words.addAll(remarks());
    return String.join("; ", words);
  }

  /** The first few of some names, and the number of the others. */
  private static String listed(List<String> names) {
    int more = names.size() - MOST_NAMES;
    return String.join(", ", names.subList(0, Math.min(MOST_NAMES, names.size())))
        + (more > 0 ? String.format(Locale.ROOT, " and %d more", more) : "");
  }

  /** The place alone: the tiers with the resource, {@code database disk}. */
  public String place() {
    return resources.stream()
        .map(each -> each.tier() + " " + each.resource())
        .distinct()
        .collect(Collectors.joining(" + "));
  }
}
