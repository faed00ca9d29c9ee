/** The results below one directory: where they lie, what they are, and their key figures. */
package org.terrace.dashboard.results;
