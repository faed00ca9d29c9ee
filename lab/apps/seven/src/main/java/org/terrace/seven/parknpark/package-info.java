/** Park'n Park: parking lots, their spaces, and where else there is room. */
@org.jspecify.annotations.NullMarked
package org.terrace.seven.parknpark;
