package org.terrace.petstore;

import java.util.Locale;

/**
 * The seven services: what each call of one costs its server, and how much that varies.
 *
 * <p>Source: Marian, Balakrishnan, Birman, van Renesse, "Tempest: Soft state replication in the
 * service tier", 2008, section 4.3.
 */
public enum PetServiceKind {
  /** Costs nothing beside the call itself. */
  NULL(false, false, false),
  /** Processor time, nearly always the same. */
  CPU_SMALL(true, false, false),
  /** Processor time, at times much more than at others. */
  CPU_LARGE(true, false, true),
  /** Writes forced to disk, always as many. */
  IO_SMALL(false, true, false),
  /** Writes forced to disk, at times many more. */
  IO_LARGE(false, true, true),
  /** Processor time and writes forced to disk, nearly always as much. */
  CPU_IO_SMALL(true, true, false),
  /** Processor time and writes forced to disk, at times much more. */
  CPU_IO_LARGE(true, true, true);

  private final boolean usesProcessor;
  private final boolean usesDisk;
  private final boolean variesMuch;

  PetServiceKind(boolean usesProcessor, boolean usesDisk, boolean variesMuch) {
    this.usesProcessor = usesProcessor;
    this.usesDisk = usesDisk;
    this.variesMuch = variesMuch;
  }

  boolean usesProcessor() {
    return usesProcessor;
  }

  boolean usesDisk() {
    return usesDisk;
  }

  boolean variesMuch() {
    return variesMuch;
  }

  /** The name of the service, such as {@code cpu-small}. */
  public String service() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The kind whose service has that name. */
  public static PetServiceKind of(String service) {
    return valueOf(service.toUpperCase(Locale.ROOT).replace('-', '_'));
  }
}
