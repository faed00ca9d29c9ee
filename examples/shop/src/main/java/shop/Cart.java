package shop;

import org.terrace.core.codec.FieldNumber;

/**
 * The goods that a visitor has chosen, kept in the HTTP session. The numbers are the fields' names
 * in bytes: versions of the shop with more or fewer fields can run side by side.
 */
public record Cart(@FieldNumber(1) String product, @FieldNumber(2) int pieces) {}
