package org.terrace.protocols.decoder;

import org.jspecify.annotations.Nullable;
import org.terrace.protocols.text.MemoryBudget;
import org.terrace.wire.statistics.Counters;

/** The state that the decoders of one capture share. Confined to one thread. */
public final class DecoderContext {
  /** The counters of the capture. */
  public final Counters counters;

  /** The classes of requests. */
  public final RequestClasses classes;

  /** The classes of HTTP's requests. */
  public final UrlTemplates urls;

  /** The memory of all decoders. */
  public final MemoryBudget memory;

  /** The protocols that can be told. */
  final ProtocolRegistry registry;

  /** The classes of statements. */
  final SqlClasses statements;

  private @Nullable DecoderContext insideTls;

  /**
   * The state of a capture that is about to be read.
   *
   * @param classesMax how many request classes are told apart
   */
  public DecoderContext(Counters counters, ProtocolRegistry registry, int classesMax) {
    this.counters = counters;
    this.registry = registry;
    memory = new MemoryBudget();
    classes = new RequestClasses(classesMax);
    urls = new UrlTemplates(classes);
    statements = new SqlClasses(classes);
  }

  private DecoderContext(DecoderContext outside) {
    counters = outside.counters;
    registry = outside.registry.insideTls();
    memory = outside.memory;
    classes = outside.classes;
    urls = outside.urls;
    statements = outside.statements;
  }

  /** The same state for what TLS carries: TLS in TLS is turns, so that no input nests decoders. */
  public DecoderContext insideTls() {
    DecoderContext inside = insideTls;
    if (inside == null) {
      inside = new DecoderContext(this);
      insideTls = inside;
    }
    return inside;
  }
}
