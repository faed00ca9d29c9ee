package org.terrace.collections.spring.session;

import java.time.Duration;
import java.util.List;
import org.springframework.session.SaveMode;
import org.terrace.collections.replication.WriteLevel;

/**
 * The settings of a {@link TerraceSessionRepository}. Immutable.
 *
 * @param level how many servers hold what is saved before the reply leaves
 * @param saveTimeout how long a save may wait for them
 * @param maxInactiveInterval how long a session may lie unused, unless it says otherwise; zero or
 *     less: for ever
 * @param admitted names of the classes that attributes may hold beside values and collections of
 *     the JDK; {@code package.*} for those of a package, {@code package.**} for those of its
 *     sub-packages too
 * @param saveMode which attributes are looked at when a session is saved: those that were set, or
 *     those that were asked for as well. Written is what has changed
 * @param sweepPeriod how often sessions that lie unused are looked for
 */
public record TerraceSessionOptions(
    WriteLevel level,
    Duration saveTimeout,
    Duration maxInactiveInterval,
    List<String> admitted,
    SaveMode saveMode,
    Duration sweepPeriod) {
  /** The classes of Spring Security that its filters keep in sessions. */
  public static final List<String> OF_SPRING_SECURITY =
      List.of(
          "org.springframework.security.authentication.*",
          "org.springframework.security.core.**",
          "org.springframework.security.web.authentication.**",
          "org.springframework.security.web.csrf.*",
          "org.springframework.security.web.savedrequest.*");

  /** Checks the ranges. */
  public TerraceSessionOptions {
    admitted = List.copyOf(admitted);
    if (!saveTimeout.isPositive() || !sweepPeriod.isPositive()) {
      throw new IllegalArgumentException("saveTimeout and sweepPeriod are positive");
    }
  }

  /**
   * All servers hold what is saved, in 5 s; half an hour; what Spring Security keeps; each minute.
   */
  public static TerraceSessionOptions defaults() {
    return new TerraceSessionOptions(
        WriteLevel.ALL,
        Duration.ofSeconds(5),
        Duration.ofMinutes(30),
        OF_SPRING_SECURITY,
        SaveMode.ON_SET_ATTRIBUTE,
        Duration.ofMinutes(1));
  }

  /** The same with another level. */
  public TerraceSessionOptions withLevel(WriteLevel newLevel) {
    return new TerraceSessionOptions(
        newLevel, saveTimeout, maxInactiveInterval, admitted, saveMode, sweepPeriod);
  }

  /** The same with another wait. */
  public TerraceSessionOptions withSaveTimeout(Duration timeout) {
    return new TerraceSessionOptions(
        level, timeout, maxInactiveInterval, admitted, saveMode, sweepPeriod);
  }

  /** The same with another time that sessions may lie unused. */
  public TerraceSessionOptions withMaxInactiveInterval(Duration interval) {
    return new TerraceSessionOptions(level, saveTimeout, interval, admitted, saveMode, sweepPeriod);
  }

  /** The same with other classes in the place of Spring Security's. */
  public TerraceSessionOptions withAdmitted(List<String> classes) {
    return new TerraceSessionOptions(
        level, saveTimeout, maxInactiveInterval, classes, saveMode, sweepPeriod);
  }

  /** The same with another choice of what is looked at. */
  public TerraceSessionOptions withSaveMode(SaveMode newSaveMode) {
    return new TerraceSessionOptions(
        level, saveTimeout, maxInactiveInterval, admitted, newSaveMode, sweepPeriod);
  }

  /** The same with another period. */
  public TerraceSessionOptions withSweepPeriod(Duration period) {
    return new TerraceSessionOptions(
        level, saveTimeout, maxInactiveInterval, admitted, saveMode, period);
  }
}
